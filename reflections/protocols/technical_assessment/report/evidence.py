"""Which answers a topic, a skill or a gap rests on, by its words.

A name that is a topic of the script (its title or key) rests on all scored answers about it. With
more words after a colon it rests on those among them whose question or observation has at least
half of the key terms, ignoring inflection; on all of them if none has. Any other name rests on
whichever scored answers have that many of its key terms.
"""

import re
from collections.abc import Mapping, Sequence

from rapidfuzz.fuzz import ratio

from interviews.protocols.technical_assessment.state import Observed
from plans.similarity import normalise
from reflections.protocols.technical_assessment.report.rules import by_topic, scored
from reflections.protocols.technical_assessment.report.types import (
    Evidence,
    FinalReport,
    SupportedClaim,
)

SPELT_ALIKE = 88  # a topic's name and how a report spells it
LEAST = 4  # letters of a key term; acronyms may be shorter
STEM = 5  # letters by which inflected words are compared
ACRONYM = re.compile(r"\b[^\W\d_a-zа-яё]{2,}\b")


def answers_on(
    what: str, observed: Sequence[Observed], titles: Mapping[str, str]
) -> list[Observed]:
    topic = find_topic(what, titles)
    if not topic:
        return _matching(what, scored(observed))
    about = by_topic(observed).get(topic, [])
    if normalise(what) in (normalise(topic), normalise(titles[topic])):
        return about
    return _matching(what.partition(":")[2], about) or about


def find_topic(what: str, titles: Mapping[str, str]) -> str:
    names = filter(normalise, {what, what.partition(":")[0]})
    known = [(name, key) for key, title in titles.items() for name in (key, title)]
    near = [(_alike(name, one), key) for name in names for one, key in known if normalise(one)]
    (best, _), key = max(near, key=lambda pair: pair[0], default=((0.0, 0.0), ""))
    return key if best >= SPELT_ALIKE else ""


def _alike(one: str, other: str) -> tuple[float, float]:
    """Return how alike two names are, first without the signs that tell C++ from C, then with."""
    return ratio(normalise(one), normalise(other)), ratio(one.casefold(), other.casefold())


def evidence_of(
    report: FinalReport, observed: Sequence[Observed], titles: Mapping[str, str]
) -> Evidence:
    def claim(what: str) -> SupportedClaim:
        answers = answers_on(what, observed, titles)
        return SupportedClaim(what=what, positions=[one.position for one in answers])

    review = report.technical_review
    return Evidence(
        topics=[claim(one.topic) for one in review.topics],
        confirmed_skills=list(map(claim, review.confirmed_skills)),
        knowledge_gaps=list(map(claim, review.knowledge_gaps)),
        personal_roadmap=[claim(one.topic) for one in report.personal_roadmap],
    )


def _matching(what: str, answers: Sequence[Observed]) -> list[Observed]:
    words = _key_terms(what)
    return [one for one in answers if words and 2 * len(words & _words(one)) >= len(words)]


def _key_terms(text: str) -> set[str]:
    long = {word[:STEM] for word in normalise(text).split() if len(word) >= LEAST}
    return long | {normalise(word)[:STEM] for word in ACRONYM.findall(text)}


def _words(one: Observed) -> set[str]:
    text = " ".join((one.question, one.notes, one.correct_answer))
    return {word[:STEM] for word in normalise(text).split()}
