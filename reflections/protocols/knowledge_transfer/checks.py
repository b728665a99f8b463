"""What code finds in what a model wrote about a handover, and what it changes there.

A number that no fact has is dropped; a statement that then rests on none, or that repeats the
model's own instructions, is left out. A figure that stands in none of its facts or their answers is
shown. Each is a finding.
"""

import re
from collections.abc import Collection, Iterable
from pathlib import Path

from interviews.engine.language.statements import one_line, repeats_instructions, shortened
from reflections.protocols.knowledge_transfer.types import (
    Handover,
    KnownFact,
    SummaryStatement,
    TransferFinding,
    Weight,
)

FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


def checked(
    statements: Iterable[SummaryStatement], held: Handover, known: Collection[int], prompt: Path
) -> tuple[list[SummaryStatement], list[TransferFinding]]:
    """The statements as they may stand, and what was found. `known` are the facts to rest on,
    `prompt` is the file with which they were asked for."""
    kept, findings = list[SummaryStatement](), list[TransferFinding]()
    for statement in statements:
        text = one_line(statement.text)
        numbers, found = grounded(text, statement.facts, known)
        findings += found
        if repeats_instructions(text, prompt):
            findings.append(left_out(text, "repeats what the model was told"))
        elif text and numbers:
            kept.append(SummaryStatement(text=text, facts=numbers))
            findings += other_figures(text, numbers, held)
        elif text:
            findings.append(left_out(text, "rests on no fact"))
    return kept, findings


def grounded(
    text: str, numbers: Iterable[int], known: Collection[int]
) -> tuple[list[int], list[TransferFinding]]:
    """The numbers of facts that there are, each once, and a finding where there are others."""
    named = list(dict.fromkeys(numbers))
    unknown = [number for number in named if number not in known]
    findings = []
    if unknown:
        said = f"“{shortened(text)}” named facts that there aren’t: {listed(unknown)}."
        findings.append(found_as("unknown_fact", "notable", said))
    return [number for number in named if number in known], findings


def left_out(text: str, why: str) -> TransferFinding:
    """A finding about a statement that doesn't stand."""
    return found_as("left_out", "notable", f"Left out, since it {why}: “{shortened(text)}”", text)


def other_figures(text: str, numbers: Iterable[int], held: Handover) -> list[TransferFinding]:
    """Figures in it that stand nowhere in what it rests on."""
    there = {
        figure
        for number in numbers
        if number in held.by_number
        for basis in _basis(held, held.by_number[number])
        for figure in _figures(basis)
    }
    other = [figure for figure in dict.fromkeys(_figures(text)) if figure not in there]
    if not other:
        return []
    said = f"“{shortened(text)}” holds {listed(other)}, which its facts don’t."
    return [found_as("other_figure", "serious", said)]


def found_as(check: str, weight: Weight, text: str, before: str = "") -> TransferFinding:
    return TransferFinding(check=check, weight=weight, text=text, before=before)


def listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))


def _basis(held: Handover, fact: KnownFact) -> tuple[str, ...]:
    asked = (said.asked for said in held.said if said.question == fact.question)
    return (fact.text, held.words.get(fact.position, ""), *asked)


def _figures(text: str) -> list[str]:
    return [figure.replace(",", ".") for figure in FIGURE.findall(text)]
