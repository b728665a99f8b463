"""What a report is made from, and which answers a topic or a skill in it rests on, by its words.

A name that is a topic of the script (its title or key) rests on all scored answers about it. With
more words after a colon it rests on those among them whose question or observation has at least
half of the key terms, ignoring inflection; on all of them if none has. Any other name rests on
whichever scored answers have that many of its key terms.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rapidfuzz.fuzz import ratio

from interviews.protocols.technical_assessment.context import script_in
from interviews.protocols.technical_assessment.state import Observed
from llm.tasks.task import LanguageTag, Utterance
from plans.protocols.technical_assessment.content import (
    TechnicalAssessmentMaterial,
    TechnicalAssessmentOptions,
)
from plans.similarity import normalise
from reflections.evidence.injection import sentences
from reflections.evidence.transcript import TranscriptLine
from reflections.protocols.technical_assessment.report.rules import apply_rules, by_topic, scored
from reflections.protocols.technical_assessment.report.types import (
    Evidence,
    FinalReport,
    Ruling,
    SupportedClaim,
)

SPELT_ALIKE = 88  # a topic's name and how a report spells it
LEAST = 4  # letters of a key term; acronyms may be shorter
STEM = 5  # letters by which inflected words are compared
LONGEST_ORDER = 160  # characters that a finding quotes
LEAST_WORDS = 8  # of an answer that nobody gives twice by chance
ACRONYM = re.compile(r"\b[^\W\d_a-zа-яё]{2,}\b")


@dataclass(frozen=True)
class AssessmentRecord:
    material: TechnicalAssessmentMaterial
    language: LanguageTag
    observed: tuple[Observed, ...]
    dialogue: tuple[Utterance, ...] = ()  # the last turns
    answers: Mapping[int, TranscriptLine] = field(default_factory=dict)  # by position
    said: Mapping[int, str] = field(default_factory=dict)  # also what answers nothing
    experience: str = ""
    stopped: bool = False  # by the candidate, before the end

    @property
    def options(self) -> TechnicalAssessmentOptions:
        return self.material.options

    @cached_property
    def titles(self) -> Mapping[str, str]:
        script = script_in(self.material, self.language)
        seen = {one.topic: one.topic for one in scored(self.observed) if one.topic}
        return seen | {topic.key: topic.title for topic in script.topics}

    @cached_property
    def ruling(self) -> Ruling:
        return apply_rules(self.observed, self.options.grade, self.options.rules)

    @cached_property
    def guidance(self) -> Mapping[tuple[str, str], str]:
        questions = script_in(self.material, self.language).questions
        return {(one.topic, one.key): one.expected for one in questions}

    @cached_property
    def orders(self) -> dict[int, str]:
        """Return what answers order whoever judges them to do, by position."""
        found = {}
        for position, text in self.said.items():
            if start := next((text[one.start :] for one in sentences(text) if one.order), ""):
                found[position] = f": “{' '.join(start.split())[:LONGEST_ORDER]}”"
        return found

    @cached_property
    def repeated(self) -> list[list[int]]:
        """Return the positions of answers that are the same, if that is no chance."""
        places: dict[str, list[int]] = {}
        for position, line in self.answers.items():
            if len(normalise(line.text).split()) >= LEAST_WORDS:
                places.setdefault(normalise(line.text), []).append(position)
        return [same for same in places.values() if len(same) > 1]

    def answers_on(self, what: str) -> list[Observed]:
        return answers_on(what, self.observed, self.titles)


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


def evidence_of(report: FinalReport, record: AssessmentRecord) -> Evidence:
    def claim(what: str) -> SupportedClaim:
        answers = record.answers_on(what)
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
