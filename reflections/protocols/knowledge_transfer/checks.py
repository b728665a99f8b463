"""Check a model's statements about a handover.

A fact number that doesn't exist is dropped; a statement that then rests on none, or that repeats
the model's own instructions, is left out. A figure that is in none of its facts or their answers is
pointed out. Each is a finding.
"""

from collections.abc import Collection, Iterable
from pathlib import Path

from interviews.engine.language.statements import one_line, repeats_instructions, shortened
from plans.text import figures
from reflections.evidence.checks import INSTRUCTIONS, left_out_finding
from reflections.evidence.types import Finding, finding
from reflections.protocols.knowledge_transfer.types import Handover, KnownFact, SummaryStatement


def check_statements(
    statements: Iterable[SummaryStatement], handover: Handover, known: Collection[int], prompt: Path
) -> tuple[list[SummaryStatement], list[Finding]]:
    """Return the statements that stand, and what was found.

    `known` are the facts to rest on, `prompt` is the template they were asked for with.
    """
    kept, findings = list[SummaryStatement](), list[Finding]()
    for statement in statements:
        text = one_line(statement.text)
        numbers, found = existing_facts(text, statement.facts, known)
        findings += found
        if repeats_instructions(text, prompt):
            findings.append(left_out_finding(text, INSTRUCTIONS))
        elif text and numbers:
            kept.append(SummaryStatement(text=text, facts=numbers))
            findings += unsupported_figures(text, numbers, handover)
        elif text:
            findings.append(left_out_finding(text, "rests on no fact"))
    return kept, findings


def existing_facts(
    text: str, numbers: Iterable[int], known: Collection[int]
) -> tuple[list[int], list[Finding]]:
    named = list(dict.fromkeys(numbers))
    unknown = [number for number in named if number not in known]
    findings = []
    if unknown:
        said = f"“{shortened(text)}” named facts that there aren’t: {comma_separated(unknown)}."
        findings.append(finding("unknown_fact", said))
    return [number for number in named if number in known], findings


def unsupported_figures(text: str, numbers: Iterable[int], handover: Handover) -> list[Finding]:
    supported = {
        figure
        for number in numbers
        if number in handover.by_number
        for basis in _basis(handover, handover.by_number[number])
        for figure in figures(basis)
    }
    unsupported = [figure for figure in figures(text) if figure not in supported]
    if not unsupported:
        return []
    said = f"“{shortened(text)}” holds {comma_separated(unsupported)}, which its facts don’t."
    return [finding("other_figure", said, "serious")]


def comma_separated(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))


def _basis(handover: Handover, fact: KnownFact) -> tuple[str, ...]:
    asked = (said.asked for said in handover.said if said.question == fact.question)
    return (fact.text, handover.words.get(fact.position, ""), *asked)
