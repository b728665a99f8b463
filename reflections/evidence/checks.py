"""Check a model's statements against the transcript, its instructions and orders in answers.

A quote that nobody said is dropped, one at a wrong position is corrected, each is widened to its
clause. A statement is left out if it then has no quotes, rests on orders alone, says what an order
dictated, or repeats the model's own instructions. Each is a finding, and so is a negation that a
quote left out.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from interviews.engine.language.statements import one_line, repeats_instructions, shortened
from reflections.evidence import injection
from reflections.evidence.clauses import widen
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import Finding, Quote, Statement, finding

INSTRUCTIONS = "repeats what the model was told"
NOTHING = "has no quote that stands in the transcript"
ORDERED = "rests only on an order in an answer"
DICTATED = "says what an answer ordered to be said"


def check_statements(
    statements: Iterable[Statement], transcript: Transcript, prompt: Path, *private: str
) -> tuple[tuple[Statement, ...], tuple[Finding, ...]]:
    """Return the statements that stand, with verified quotes only, and what was found.

    `prompt` is the template they were asked for with; `private`: what else the model was given.
    """
    kept, findings = list[Statement](), list[Finding]()
    unsaid = injection.only_dictated_words(transcript.answers.values())
    for one in statements:
        text = one_line(one.text)
        quotes, found = verify_quotes(one.quotes, transcript)
        why = _reason_to_drop(text, quotes, transcript.answers, unsaid)
        if repeats_instructions(text, prompt, *private):
            findings.append(left_out_finding(text, INSTRUCTIONS))  # and no other finding about it
            continue
        findings += found
        if why:
            findings.append(left_out_finding(text, why))
        elif text:
            kept.append(Statement(text=text, quotes=quotes))
    return tuple(kept), tuple(findings)


def verify_quotes(
    quotes: Iterable[Quote], transcript: Transcript
) -> tuple[tuple[Quote, ...], tuple[Finding, ...]]:
    verified, findings = dict[Quote, None](), list[Finding]()
    for quote in quotes:
        found = transcript.quotes.find_parts(quote.text, quote.position)
        for one in found:
            answer = transcript.answers[one.position]
            text, negated = widen(one.text, answer, transcript.language)
            verified[Quote(position=one.position, text=text)] = None
            if negated:
                said = f"A quote was cut off from a negation, which is shown now: “{text}”"
                findings.append(finding("negated_quote", said))
        if not found and quote.text.strip():
            said = f"A quote was dropped, since nobody said it: “{shortened(quote.text)}”"
            findings.append(finding("invented_quote", said, before=quote.text))
        elif any(one.position != quote.position for one in found):
            said = f"A quote was moved to where it stands: “{shortened(quote.text)}”"
            findings.append(finding("moved_quote", said, "plain"))
    return tuple(verified), tuple(findings)


def left_out_finding(text: str, why: str) -> Finding:
    return finding("left_out", f"Left out, since it {why}: “{shortened(text)}”", before=text)


def _reason_to_drop(
    text: str,
    quotes: tuple[Quote, ...],
    answers: Mapping[int, str],
    unsaid: Iterable[frozenset[str]],
) -> str:
    """Return why a statement can't stand, or "". `unsaid`: word sets that only orders contain."""
    if not quotes:
        return NOTHING
    if all(injection.rests_on_orders(one.text, answers[one.position]) for one in quotes):
        return ORDERED
    said = injection.word_stems(text)
    return DICTATED if any(new <= said for new in unsaid) else ""
