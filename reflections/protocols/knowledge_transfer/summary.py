"""The summary by topic: a model writes it from the facts, piece by piece where they are many.

    facts, answers -> portions -> SUMMARY each -> checks -> CONDENSE each section, if several

A portion that no model summed up is a finding; its facts stand in the package all the same.
"""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from llm.gateway import ask
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Outcome
from reflections.protocols.knowledge_transfer.checks import checked, found_as, listed, other_figures
from reflections.protocols.knowledge_transfer.llm_tasks import (
    CONDENSE,
    SUMMARY,
    Condensed,
    condense_input,
    summary_input,
)
from reflections.protocols.knowledge_transfer.phrases import sayings
from reflections.protocols.knowledge_transfer.portions import portions
from reflections.protocols.knowledge_transfer.questions import (
    facts_digest,
    plain_items,
    questions_of,
    summary_digest,
)
from reflections.protocols.knowledge_transfer.types import (
    HEADINGS,
    MADE_BY,
    ContentBasis,
    Handover,
    Heading,
    MadeBy,
    Narrative,
    QuestionAnswers,
    SummarySection,
    SummaryStatement,
    TransferFinding,
    TransferSummary,
)

NO_FACTS = "no facts were found in the answers"
NOT_SUMMED_UP = "not_summed_up"  # by any model, though other facts were
UNFOUNDED = "nothing that the model wrote rests on a fact"


@dataclass
class _Written:
    """What models have written so far."""

    sections: dict[Heading, list[SummaryStatement]] = field(
        default_factory=lambda: {heading: [] for heading in HEADINGS}
    )
    findings: list[TransferFinding] = field(default_factory=list)
    made_by: MadeBy = "rules"
    reasons: list[str] = field(default_factory=list)

    @property
    def numbers(self) -> set[int]:
        """The facts that its statements rest on."""
        return {n for all_ in self.sections.values() for one in all_ for n in one.facts}

    @property
    def reason(self) -> str:
        """Why it isn't all the model's that was meant to write it."""
        return "; ".join(dict.fromkeys(filter(None, self.reasons)))

    def count(self, outcome: Outcome[Any]) -> None:
        """Notes who answered. A stand-in's part makes the whole a stand-in's."""
        self.reasons.append(outcome.reason)
        maker = MADE_BY[outcome.source]
        if maker != "rules" and self.made_by != "fallback_model":
            self.made_by = maker


async def summarised(held: Handover, subject: CallContext) -> TransferSummary:
    """The summary: by a model if one writes what rests on facts, else the plain answers."""
    if not held.facts:
        return _plain(held, NO_FACTS)
    written = await _portion_by_portion(held, subject)
    if not written.numbers:
        found = [one for one in written.findings if one.check != NOT_SUMMED_UP]
        return _plain(held, written.reason or UNFOUNDED, found)
    return _composed(held, written)


async def _portion_by_portion(held: Handover, subject: CallContext) -> _Written:
    pieces = list(portions(questions_of(held), _length, lambda one: len(one.facts)))
    pieces = [piece for piece in pieces if any(one.facts for one in piece)]
    asked = (ask(SUMMARY, summary_input(held, piece), subject) for piece in pieces)
    written = _Written()
    for piece, outcome in zip(pieces, await asyncio.gather(*asked), strict=True):
        _take(written, held, {f.number for one in piece for f in one.facts}, outcome)
    if len(pieces) > 1:
        await _condense(written, held, subject)
    return written


def _take(
    written: _Written, held: Handover, known: Collection[int], outcome: Outcome[Narrative]
) -> None:
    """What one call brought, checked."""
    written.count(outcome)
    if MADE_BY[outcome.source] == "rules":
        said = f"No model summed up the facts {listed(sorted(known))} ({outcome.reason})."
        written.findings.append(found_as(NOT_SUMMED_UP, "notable", said))
    for heading in HEADINGS:
        kept, found = checked(outcome.value.under(heading), held, known, SUMMARY.template)
        written.sections[heading] += kept
        written.findings += found


async def _condense(written: _Written, held: Handover, subject: CallContext) -> None:
    """Each section on its own; one that fails stays as long as it is."""
    pieces = [
        (heading, piece)
        for heading in HEADINGS
        for piece in portions(written.sections[heading], _size, lambda one: len(one.facts))
    ]
    asked = (ask(CONDENSE, condense_input(held, *one), subject) for one in pieces)
    outcomes = await asyncio.gather(*asked)
    sections: dict[Heading, list[SummaryStatement]] = {heading: [] for heading in HEADINGS}
    for (heading, piece), outcome in zip(pieces, outcomes, strict=True):
        written.count(outcome)
        kept, found = _condensed(piece, outcome.value, held)
        sections[heading] += kept
        written.findings += found
    written.sections = sections


def _condensed(
    piece: Sequence[SummaryStatement], condensed: Condensed, held: Handover
) -> tuple[list[SummaryStatement], list[TransferFinding]]:
    """The shorter statements, and of the longer ones those whose facts would have been lost."""
    known = {number for one in piece for number in one.facts}
    kept, findings = checked(condensed.statements, held, known, CONDENSE.template)
    covered = {number for one in kept for number in one.facts}
    return [*kept, *(one for one in piece if not covered.issuperset(one.facts))], findings


def amended(
    held: Handover, original: TransferSummary, sections: Sequence[SummarySection]
) -> TransferSummary:
    """The same with a person's own sections, of which nothing is changed."""
    written = _Written({one.heading: one.statements for one in sections})
    figures = [
        found
        for section in sections
        for one in section.statements
        if one.facts
        for found in other_figures(one.text, one.facts, held)
    ]
    basis = original.basis.model_copy(update={"summary": summary_digest(sections)})
    findings = [*figures, *_unused(held, written)]
    changed = {"sections": list(sections), "findings": findings, "basis": basis}
    return original.model_copy(update=changed)


def _composed(held: Handover, written: _Written) -> TransferSummary:
    say = sayings(held.language)
    sections = [
        SummarySection(heading=heading, title=say(heading), statements=statements)
        for heading, statements in written.sections.items()
    ]
    return TransferSummary(
        language=held.language,
        sections=sections,
        made_by=written.made_by,
        reason=written.reason,
        findings=[*written.findings, *_unused(held, written)],
        basis=ContentBasis(facts=facts_digest(held), summary=summary_digest(sections)),
    )


def _unused(held: Handover, written: _Written) -> list[TransferFinding]:
    missing = [fact.number for fact in held.facts if fact.number not in written.numbers]
    if not missing:
        return []
    said = f"Facts that no statement rests on: {listed(missing)}."
    return [found_as("unused_facts", "plain", said)]


def _plain(
    held: Handover, reason: str, findings: Iterable[TransferFinding] = ()
) -> TransferSummary:
    return TransferSummary(
        language=held.language,
        items=plain_items(held),
        made_by="rules",
        reason=reason,
        findings=list(findings),
        basis=ContentBasis(facts=facts_digest(held), summary=summary_digest(())),
    )


def _length(one: QuestionAnswers) -> int:
    """Characters of a question with all that belongs to it."""
    answers = sum(len(answer.text) for answer in one.answers)
    return len(one.question) + len(one.asked) + answers + sum(len(f.text) for f in one.facts)


def _size(one: SummaryStatement) -> int:
    return len(one.text)
