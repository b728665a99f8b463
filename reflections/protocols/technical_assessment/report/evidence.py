"""Which answers a topic, a skill or a gap rests on, by its words.

A name that is a topic of the script (its title or key) rests on all scored answers about it. What
comes after a topic and a colon rests on those among them whose question or observation holds at
least half of its telling words, inflection aside; on all of them if none does. Any other name rests
on whichever scored answers hold so many of its words.
"""

import re
from collections.abc import Mapping, Sequence

from rapidfuzz.fuzz import ratio

from interviews.protocols.technical_assessment.state import Observed
from plans.similarity import normalise
from reflections.protocols.technical_assessment.report.statistics import by_topic, scored
from reflections.protocols.technical_assessment.report.types import (
    Evidence,
    FinalReport,
    SupportedClaim,
)

SPELT_ALIKE = 88  # a topic's name and how a report spells it
LEAST = 4  # letters of a telling word; acronyms may be shorter
STEM = 5  # letters by which inflected words are compared
ACRONYM = re.compile(r"\b[^\W\d_a-zа-яё]{2,}\b")


def answers_on(
    what: str, observed: Sequence[Observed], titles: Mapping[str, str]
) -> list[Observed]:
    """The scored answers that it rests on; none if it stands in no observation."""
    topic = topic_named(what, titles)
    if not topic:
        return _holding(what, scored(observed))
    about = by_topic(observed).get(topic, [])
    return _holding(what.partition(":")[2], about) or about


def topic_named(what: str, titles: Mapping[str, str]) -> str:
    """The key of the script's topic that it names; empty if it names none."""
    names = {normalise(what), normalise(what.partition(":")[0])} - {""}
    known = [(normalise(name), key) for key, title in titles.items() for name in (key, title)]
    near = [(ratio(name, one), key) for name in names for one, key in known if one]
    best, key = max(near, key=lambda pair: pair[0], default=(0.0, ""))
    return key if best >= SPELT_ALIKE else ""


def evidence_of(
    report: FinalReport, observed: Sequence[Observed], titles: Mapping[str, str]
) -> Evidence:
    """What each part of the report rests on."""

    def rests(named: Sequence[str]) -> list[SupportedClaim]:
        return [
            SupportedClaim(
                what=what, positions=[one.position for one in answers_on(what, observed, titles)]
            )
            for what in named
        ]

    review = report.technical_review
    return Evidence(
        topics=rests([one.topic for one in review.topics]),
        confirmed_skills=rests(review.confirmed_skills),
        knowledge_gaps=rests(review.knowledge_gaps),
        personal_roadmap=rests([one.topic for one in report.personal_roadmap]),
    )


def _holding(what: str, answers: Sequence[Observed]) -> list[Observed]:
    """Those that hold its words."""
    words = _telling(what)
    return [one for one in answers if words and 2 * len(words & _words(one)) >= len(words)]


def _telling(text: str) -> set[str]:
    long = {word[:STEM] for word in normalise(text).split() if len(word) >= LEAST}
    return long | {normalise(word)[:STEM] for word in ACRONYM.findall(text)}


def _words(one: Observed) -> set[str]:
    text = " ".join((one.question, one.notes, one.correct_answer))
    return {word[:STEM] for word in normalise(text).split()}
