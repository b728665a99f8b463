"""Which calls a product of one interview takes, by how much was said in it. Pure."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings

from interviews.protocols.knowledge_transfer.after.asking import SUMMARY as TRANSFER_SUMMARY
from interviews.protocols.knowledge_transfer.after.onboarding import ONBOARDING
from interviews.protocols.technical_assessment.report.asking import LAST_TURNS, REPORT
from llm.task import Task
from llm.templates import load
from reflections import transfers
from reflections.evidence.condensing import CONDENSE, PIECE, SHRINKS
from reflections.experts.tasks import REFLECT
from reflections.models import EXPERT
from reflections.narrating.asking import FACTS, RETELL

CHARACTERS_A_TOKEN = {"ru": 2.5}
USUAL = 4.0  # characters a token, elsewhere
LABEL = 20  # characters before each utterance, such as “[12] Participant: ”
AN_OBSERVATION, A_FACT = 150, 40  # tokens that one takes in a prompt


@dataclass(frozen=True, slots=True)
class Size:
    """How much was said in an interview."""

    characters: int
    utterances: int
    answers: int = 0
    language: str = ""
    retold: bool = True  # whether a model retells it in the summary
    facts: int = 0  # that were found while it was led

    @property
    def numbered(self) -> int:
        """Characters of the transcript as a model reads it."""
        return self.characters + LABEL * self.utterances

    @property
    def tokens(self) -> int:
        """Tokens of that."""
        return self.in_tokens(self.numbered)

    def in_tokens(self, characters: float) -> int:
        """So many characters of this language."""
        return math.ceil(characters / CHARACTERS_A_TOKEN.get(self.language, USUAL))


@dataclass(frozen=True, slots=True)
class Use:
    """What calls of one task come to."""

    task: Task[Any, Any]
    calls: int
    read: int  # tokens
    written: int  # tokens

    def __add__(self, other: "Use") -> "Use":
        calls, written = self.calls + other.calls, self.written + other.written
        return Use(self.task, calls, self.read + other.read, written)


def uses(name: str, size: Size, instructions: int = 0) -> list[Use]:
    """The calls that a product takes; none for what needs no model.

    `instructions` are the tokens of what an expert is told besides the task's own words.
    """
    if name.startswith(EXPERT):
        return _reading(REFLECT, size, share=0.5, most=2_500, more=instructions)
    reckon = CALLS.get(name)
    return reckon(size) if reckon else []


def tasks_of(name: str) -> frozenset[str]:
    """The names of the tasks that a product may take."""
    long = Size(characters=10**7, utterances=1)
    with_facts = Size(characters=10**7, utterances=1, facts=1)
    return frozenset(use.task.name for size in (long, with_facts) for use in uses(name, size))


def _reading(task: Task[Any, Any], size: Size, share: float, most: int, more: int = 0) -> list[Use]:
    """One call that reads the whole interview, condensed before where it is too long for that.

    It writes a share of what it reads, but no more than `most`.
    """
    before, read = _condensing(size)
    written = min(most, math.ceil(share * read) + 100)
    return [*before, Use(task, 1, _prompt(task) + more + read, written)]


def _condensing(size: Size) -> tuple[list[Use], int]:
    """The calls that condense as much of an interview as they must, and how long it is then."""
    excess = size.numbered - settings.REFLECTION_CHARACTERS
    if excess <= 0:
        return [], size.tokens
    piece = min(PIECE, settings.REFLECTION_CHARACTERS // 2)
    least = math.ceil(excess * SHRINKS / (SHRINKS - 1) / piece)
    calls = min(least, math.ceil(size.numbered / piece))
    long = min(calls * piece, size.numbered)
    written = size.in_tokens(long / SHRINKS)
    use = Use(CONDENSE, calls, calls * _prompt(CONDENSE) + size.in_tokens(long), written)
    return [use], size.in_tokens(size.numbered - long) + written


def _summary(size: Size) -> list[Use]:
    return _reading(RETELL, size, share=0.5, most=4_000) if size.retold else []


def _facts(size: Size) -> list[Use]:
    return [] if size.facts else _reading(FACTS, size, share=0.6, most=5_000)


def _report(size: Size) -> list[Use]:
    """It reads what was judged of each answer, and the words of the last ones."""
    last = math.ceil(size.tokens * min(1.0, LAST_TURNS / max(1, size.answers)))
    return [Use(REPORT, 1, _prompt(REPORT) + AN_OBSERVATION * size.answers + last, 1_800)]


def _transfer(size: Size) -> list[Use]:
    """The summary by topic, and the package that follows it."""
    if not size.facts:
        return [_package(0)]
    read = _prompt(TRANSFER_SUMMARY) + size.tokens + A_FACT * size.facts
    written = min(5_000, A_FACT * size.facts)
    return [Use(TRANSFER_SUMMARY, 1, read, written), _package(written)]


def _package(read: int) -> Use:
    return Use(ONBOARDING, 1, _prompt(ONBOARDING) + read, 500)


CALLS: Mapping[str, Callable[[Size], list[Use]]] = {
    "summary": _summary,
    "facts": _facts,
    "report": _report,
    transfers.SUMMARY: _transfer,
    transfers.PACKAGE: lambda size: [_package(A_FACT * size.facts)],
}


@cache
def _prompt(task: Task[Any, Any]) -> int:
    """Tokens of a task's own words."""
    template = load(task.template)
    return math.ceil((len(template.system.template) + len(template.message.template)) / USUAL)
