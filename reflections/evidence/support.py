"""Ask a model whether statements follow from their quotes; those that don't are left out.

All statements of a product are checked in one call. Two controls go with them, and a reply that
gets one of them wrong has checked nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from interviews.choices import SpeakerRole
from llm.gateway import ask
from llm.tasks.call_context import CallContext
from llm.tasks.task import Spoken, Tier
from reflections.evidence.background_task import JUDGES, background_task
from reflections.evidence.checks import left_out_finding
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import Finding, Section, Statement, StoredModel, finding

UNFOUNDED = "They keep three camels in a garage."  # a control that nobody's words support
UNSUPPORTED = "does not follow from its quotes"
CARELESS = "the model that checked them can’t tell what is supported"
LEFT_OUT = "the model that checked them gave no verdict on these"
ASKED = 200  # characters of the question that a quote answers


class SupportInput(BaseModel):
    statements: list[Spoken]


class SupportVerdict(StoredModel):
    """Whether one statement follows from its quotes."""

    number: int
    verdict: Literal["supported", "unsupported"]


class SupportVerdicts(StoredModel):
    """A verdict on each of the statements."""

    verdicts: tuple[SupportVerdict, ...]


SUPPORT = background_task(
    "reflections.support",
    Path(__file__).parent / "prompts/support.md",
    SupportInput,
    SupportVerdicts(verdicts=()),
    3_000,
    tier=Tier.FAST,
    temperature=JUDGES,
)


async def check_sections(
    sections: Sequence[Section], transcript: Transcript, context: CallContext
) -> tuple[tuple[Section, ...], tuple[Finding, ...]]:
    """Return the sections without the statements found unsupported, and findings."""
    statements = [one for section in sections for one in section.statements]
    if not statements:
        return (), ()
    verdicts, why = await _verdicts(statements, transcript, context)
    told, checked, findings = iter(verdicts), list[Section](), list[Finding]()
    for section in sections:
        kept = list[Statement]()
        for one, verdict in zip(section.statements, told):  # noqa: B905  (told is longer)
            if verdict == "unsupported":
                findings.append(left_out_finding(one.text, UNSUPPORTED))
            else:
                kept.append(one.model_copy(update={"support": verdict or "not_checked"}))
        if kept:
            checked.append(section.model_copy(update={"statements": tuple(kept)}))
    if unchecked := verdicts.count(None):
        said = f"Not checked against the quotes: {unchecked} of {len(verdicts)} statements ({why})."
        findings.append(finding("not_checked", said))
    return tuple(checked), tuple(findings)


async def _verdicts(
    statements: Sequence[Statement], transcript: Transcript, context: CallContext
) -> tuple[list[str | None], str]:
    """Return a verdict on each statement or None, and why where there is none."""
    quote = statements[0].quotes[0]
    controls = [Statement(text=text, quotes=(quote,)) for text in (UNFOUNDED, quote.text)]
    data = SupportInput(statements=list(_described([*statements, *controls], transcript)))
    outcome = await ask(SUPPORT, data, context)
    by_number: dict[int, str] = {one.number: one.verdict for one in outcome.value.verdicts}
    *verdicts, denied, granted = (by_number.get(n + 1) for n in range(len(data.statements)))
    if outcome.by_model and (denied, granted) == ("unsupported", "supported"):
        return verdicts, LEFT_OUT
    failed = CARELESS if outcome.by_model else outcome.reason
    return [None] * len(verdicts), failed.rstrip(".")


def _described(statements: Iterable[Statement], transcript: Transcript) -> Iterator[str]:
    asked, question = dict[int, str](), ""
    for line in transcript.lines:
        if line.role == SpeakerRole.INTERVIEWER:
            question = " ".join(line.text.split())[-ASKED:]
        else:
            asked[line.position] = question
    for number, one in enumerate(statements, 1):
        quotes = (f"   asked “{asked[q.position]}”: “{q.text}”" for q in one.quotes)
        yield "\n".join([f"{number}. {one.text}", *quotes])
