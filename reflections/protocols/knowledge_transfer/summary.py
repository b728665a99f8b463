"""The summary by topic, written by a model from the facts, in portions if they are many.

facts, answers -> portions -> SUMMARY each -> checks -> CONDENSE each section, if several

A portion that no model summed up is a finding; its facts are in the package all the same.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from llm.gateway import ask
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Outcome
from llm.tasks.task import LanguageTag, Spoken
from reflections.evidence.background_task import background_task
from reflections.evidence.types import MADE_BY, Finding, MadeBy, StoredModel, finding
from reflections.protocols.knowledge_transfer.checks import (
    check_statements,
    comma_separated,
    unsupported_figures,
)
from reflections.protocols.knowledge_transfer.questions import (
    facts_digest,
    open_points_of,
    plain_items,
    questions_of,
    summary_digest,
)
from reflections.protocols.knowledge_transfer.types import (
    HEADINGS,
    ContentBasis,
    Handover,
    Heading,
    Narrative,
    QuestionAnswers,
    SummarySection,
    SummaryStatement,
    TransferSummary,
    phrasebook,
)

Item = TypeVar("Item")
CHARACTERS, FACTS = 24_000, 60  # per portion, unless a single item has more


def portions(
    items: Iterable[Item], size: Callable[[Item], int], facts: Callable[[Item], int]
) -> Iterator[list[Item]]:
    piece: list[Item] = []
    length = count = 0
    for item in items:
        more, most = size(item), facts(item)
        if piece and (length + more > CHARACTERS or count + most > FACTS):
            yield piece
            piece, length, count = [], 0, 0
        piece.append(item)
        length, count = length + more, count + most
    if piece:
        yield piece


PROMPTS = Path(__file__).parent / "prompts"


class FactIn(BaseModel):
    number: int
    fact: Spoken
    confidence: float


class QuestionIn(BaseModel):
    question: Spoken
    asked: Spoken
    answers: list[Spoken]
    facts: list[FactIn]


class SummaryInput(BaseModel):
    language: LanguageTag
    project: Spoken
    material: list[QuestionIn]
    open_questions: list[Spoken]


class StatementIn(BaseModel):
    text: Spoken
    facts: list[int]


class SectionCondenseInput(BaseModel):
    language: LanguageTag
    project: Spoken
    section: str
    statements: list[StatementIn]


class Condensed(StoredModel):
    """The section, condensed."""

    statements: list[SummaryStatement] = []


SUMMARY = background_task(
    "knowledge_transfer.summary", PROMPTS / "summary.md", SummaryInput, Narrative(), 8_000
)
CONDENSE = background_task(
    "knowledge_transfer.condense", PROMPTS / "condense.md", SectionCondenseInput, Condensed(), 8_000
)


def summary_input(handover: Handover, piece: Iterable[QuestionAnswers]) -> SummaryInput:
    return SummaryInput(
        language=handover.language,
        project=handover.project,
        material=[
            QuestionIn(
                question=one.question,
                asked=one.asked,
                answers=[answer.text for answer in one.answers],
                facts=[
                    FactIn(number=f.number, fact=f.text, confidence=f.confidence) for f in one.facts
                ],
            )
            for one in piece
        ],
        open_questions=[point.question for point in open_points_of(handover)],
    )


def condense_input(
    handover: Handover, heading: Heading, piece: Iterable[SummaryStatement]
) -> SectionCondenseInput:
    return SectionCondenseInput(
        language=handover.language,
        project=handover.project,
        section=phrasebook(handover.language)(heading),
        statements=[StatementIn(text=one.text, facts=one.facts) for one in piece],
    )


NO_FACTS = "no facts were found in the answers"
NOT_SUMMED_UP = "not_summed_up"  # by any model, though other facts were
UNFOUNDED = "nothing that the model wrote rests on a fact"


@dataclass
class _Draft:
    sections: dict[Heading, list[SummaryStatement]] = field(
        default_factory=lambda: {heading: [] for heading in HEADINGS}
    )
    findings: list[Finding] = field(default_factory=list)
    made_by: MadeBy = "rules"
    reasons: list[str] = field(default_factory=list)

    @property
    def numbers(self) -> set[int]:
        return {n for all_ in self.sections.values() for one in all_ for n in one.facts}

    @property
    def reason(self) -> str:
        return "; ".join(dict.fromkeys(filter(None, self.reasons)))

    def count(self, outcome: Outcome[Any]) -> None:
        """Note who answered. A stand-in's part makes the whole a stand-in's."""
        self.reasons.append(outcome.reason)
        made_by = MADE_BY[outcome.source]
        if made_by != "rules" and self.made_by != "fallback_model":
            self.made_by = made_by


async def summarise(handover: Handover, context: CallContext) -> TransferSummary:
    if not handover.facts:
        return _plain_summary(handover, NO_FACTS)
    draft = await _write_draft(handover, context)
    if not draft.numbers:
        found = [one for one in draft.findings if one.check != NOT_SUMMED_UP]
        return _plain_summary(handover, draft.reason or UNFOUNDED, found)
    return _compose(handover, draft)


async def _write_draft(handover: Handover, context: CallContext) -> _Draft:
    pieces = list(portions(questions_of(handover), _length, lambda one: len(one.facts)))
    pieces = [piece for piece in pieces if any(one.facts for one in piece)]
    asked = (ask(SUMMARY, summary_input(handover, piece), context) for piece in pieces)
    draft = _Draft()
    for piece, outcome in zip(pieces, await asyncio.gather(*asked), strict=True):
        _add_portion(draft, handover, {f.number for one in piece for f in one.facts}, outcome)
    if len(pieces) > 1:
        await _condense(draft, handover, context)
    return draft


def _add_portion(
    draft: _Draft, handover: Handover, known: Collection[int], outcome: Outcome[Narrative]
) -> None:
    draft.count(outcome)
    if MADE_BY[outcome.source] == "rules":
        said = f"No model summed up the facts {comma_separated(sorted(known))} ({outcome.reason})."
        draft.findings.append(finding(NOT_SUMMED_UP, said))
    for heading in HEADINGS:
        written = getattr(outcome.value, heading)
        kept, found = check_statements(written, handover, known, SUMMARY.template)
        draft.sections[heading] += kept
        draft.findings += found


async def _condense(draft: _Draft, handover: Handover, context: CallContext) -> None:
    """Shorten each section on its own; one that fails stays as long as it is."""
    pieces = [
        (heading, piece)
        for heading in HEADINGS
        for piece in portions(
            draft.sections[heading], lambda one: len(one.text), lambda one: len(one.facts)
        )
    ]
    asked = (ask(CONDENSE, condense_input(handover, *one), context) for one in pieces)
    outcomes = await asyncio.gather(*asked)
    sections: dict[Heading, list[SummaryStatement]] = {heading: [] for heading in HEADINGS}
    for (heading, piece), outcome in zip(pieces, outcomes, strict=True):
        draft.count(outcome)
        kept, found = _merge_condensed(piece, outcome.value, handover)
        sections[heading] += kept
        draft.findings += found
    draft.sections = sections


def _merge_condensed(
    piece: Sequence[SummaryStatement], condensed: Condensed, handover: Handover
) -> tuple[list[SummaryStatement], list[Finding]]:
    """Return the shorter statements, and the longer ones whose facts would have been lost."""
    known = {number for one in piece for number in one.facts}
    kept, findings = check_statements(condensed.statements, handover, known, CONDENSE.template)
    covered = {number for one in kept for number in one.facts}
    return [*kept, *(one for one in piece if not covered.issuperset(one.facts))], findings


def amended_summary(
    handover: Handover, original: TransferSummary, sections: Sequence[SummarySection]
) -> TransferSummary:
    draft = _Draft({one.heading: one.statements for one in sections})
    figures = [
        found
        for section in sections
        for one in section.statements
        if one.facts
        for found in unsupported_figures(one.text, one.facts, handover)
    ]
    basis = original.basis.model_copy(update={"summary": summary_digest(sections)})
    findings = [*figures, *_unused_findings(handover, draft)]
    changed = {"sections": list(sections), "findings": findings, "basis": basis}
    return original.model_copy(update=changed)


def _compose(handover: Handover, draft: _Draft) -> TransferSummary:
    say = phrasebook(handover.language)
    sections = [
        SummarySection(heading=heading, title=say(heading), statements=statements)
        for heading, statements in draft.sections.items()
    ]
    return TransferSummary(
        language=handover.language,
        sections=sections,
        made_by=draft.made_by,
        reason=draft.reason,
        findings=[*draft.findings, *_unused_findings(handover, draft)],
        basis=ContentBasis(facts=facts_digest(handover), summary=summary_digest(sections)),
    )


def _unused_findings(handover: Handover, draft: _Draft) -> list[Finding]:
    missing = [fact.number for fact in handover.facts if fact.number not in draft.numbers]
    if not missing:
        return []
    said = f"Facts that no statement rests on: {comma_separated(missing)}."
    return [finding("unused_facts", said, "plain")]


def _plain_summary(
    handover: Handover, reason: str, findings: Iterable[Finding] = ()
) -> TransferSummary:
    return TransferSummary(
        language=handover.language,
        items=plain_items(handover),
        made_by="rules",
        reason=reason,
        findings=list(findings),
        basis=ContentBasis(facts=facts_digest(handover), summary=summary_digest(())),
    )


def _length(one: QuestionAnswers) -> int:
    answers = sum(len(answer.text) for answer in one.answers)
    return len(one.question) + len(one.asked) + answers + sum(len(f.text) for f in one.facts)
