"""What a model wrote is checked against the words, its instructions and orders in answers.

A quote that nobody said is dropped, one at a wrong place is put right. A statement that then rests
on nothing, or on orders alone, that says what an order wanted to be said, or that repeats the
model's own instructions, is left out. Each is a finding.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from interviews.engine.language.statements import one_line, repeats_instructions, shortened
from reflections.evidence import injection
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import Finding, Quote, Statement, Weight

INSTRUCTIONS = "repeats what the model was told"
NOTHING = "has no quote that stands in the transcript"
ORDERED = "rests only on an order in an answer"
DICTATED = "says what an answer ordered to be said"


def checked(
    statements: Iterable[Statement], transcript: Transcript, prompt: Path, *private: str
) -> tuple[tuple[Statement, ...], tuple[Finding, ...]]:
    """The statements as they may stand, each with verified quotes alone, and what was found.

    `prompt` is the file with which they were asked for, `private` what else the model was told.
    """
    kept, findings = list[Statement](), list[Finding]()
    unsaid = injection.unsaid(transcript.answers.values())
    for one in statements:
        text = one_line(one.text)
        quotes, found = verified(one.quotes, transcript)
        why = _hindrance(text, quotes, transcript.answers, unsaid)
        if repeats_instructions(text, prompt, *private):
            findings.append(left_out(text, INSTRUCTIONS))  # nothing else of it is worth telling
            continue
        findings += found
        if why:
            findings.append(left_out(text, why))
        elif text:
            kept.append(Statement(text=text, quotes=quotes))
    return tuple(kept), tuple(findings)


def verified(
    quotes: Iterable[Quote], transcript: Transcript
) -> tuple[tuple[Quote, ...], tuple[Finding, ...]]:
    """The quotes as they stand in the transcript, each once, and what was found of the others."""
    there, findings = dict[Quote, None](), list[Finding]()
    for quote in quotes:
        found = transcript.said.found_whole(quote.text, quote.position)
        there |= dict.fromkeys(found)
        if not found and quote.text.strip():
            said = f"A quote was dropped, since nobody said it: “{shortened(quote.text)}”"
            findings.append(found_as("invented_quote", "notable", said, quote.text))
        elif any(one.position != quote.position for one in found):
            said = f"A quote was moved to where it stands: “{shortened(quote.text)}”"
            findings.append(found_as("moved_quote", "plain", said))
    return tuple(there), tuple(findings)


def left_out(text: str, why: str) -> Finding:
    """A finding about a statement that doesn't stand."""
    return found_as("left_out", "notable", f"Left out, since it {why}: “{shortened(text)}”", text)


def found_as(check: str, weight: Weight, text: str, before: str = "") -> Finding:
    return Finding(check=check, weight=weight, text=text, before=before)


def _hindrance(
    text: str,
    quotes: tuple[Quote, ...],
    answers: Mapping[int, str],
    unsaid: Iterable[frozenset[str]],
) -> str:
    """Why it can't stand; empty where it can. `unsaid`: what orders want to be said."""
    if not quotes:
        return NOTHING
    if all(injection.rests_on_orders(one.text, answers[one.position]) for one in quotes):
        return ORDERED
    said = injection.words(text)
    return DICTATED if any(new <= said for new in unsaid) else ""
