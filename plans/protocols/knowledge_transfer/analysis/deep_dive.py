"""The deep dive: what a model finds in one document, chunk by chunk."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from llm.gateway import ask
from llm.languages import language_name
from llm.routing.routes import routes
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Outcome
from llm.tasks.task import Result, Spoken, Task, Tier
from plans.bots.budgets import call_context
from plans.documents import summary
from plans.models import Bot, Document, DocumentPart
from plans.protocols.knowledge_transfer.analysis.statements import merge_statements, one_line
from plans.protocols.knowledge_transfer.content import DeepDive, options_of

CHUNK = 40_000  # characters
MOST_CHUNKS = 10
AT_ONCE = 3
SECONDS = 600.0  # for all of them; a job may take longer
POINTS = 8
LONGEST_PURPOSE = 600
LISTS = tuple(name for name in DeepDive.model_fields if name not in ("purpose", "points"))


class DiveInput(BaseModel):
    language: str
    name: Spoken
    chunk: str
    text: Spoken


class Dive(Result):
    """What a model finds in it."""

    purpose: str
    decisions: list[str]
    formulas: list[str]
    thresholds: list[str]
    people: list[str]
    gaps: list[str]


NOTHING = Dive(purpose="", decisions=[], formulas=[], thresholds=[], people=[], gaps=[])

DIVE = Task(
    name="plans.knowledge.dive",
    tier=Tier.MAIN,
    template=Path(__file__).parent / "prompts/dive.md",
    input=DiveInput,
    output=Dive,
    fallback=lambda data: NOTHING,
    timeout=120.0,
    max_tokens=4_000,
    temperature=0.2,
)


@dataclass(frozen=True)
class DiveResult:
    """A deep dive's fields without its points, and why anything is missing.

    `fields` is empty if no model found anything.
    """

    fields: dict[str, Any] = field(default_factory=dict)
    reason: str = ""


def analyse_document(row: Document, parts: Sequence[DocumentPart]) -> DiveResult:
    """Ask a model about the document; without one, return an empty result and no reason."""
    if not routes(DIVE, CallContext()):
        return DiveResult()
    chunks = split_into_chunks(parts)
    outcomes = asyncio.run(_ask_all(_inputs(row, chunks[:MOST_CHUNKS]), row.bot))
    dives = [one.value for one in outcomes if one.by_model]
    fields = merge_dives(dives)
    if not any(fields.values()):
        return DiveResult(reason=_failure_reason(outcomes))
    return DiveResult(fields, _omissions(len(dives), len(outcomes), len(chunks)))


def points_of(parts: Sequence[DocumentPart]) -> list[dict[str, str]]:
    """Return the document's most telling sentences as [{text, place}], at least its first part."""
    points = [{"text": point.text, "place": point.place} for point in summary(parts, POINTS)]
    return points or [{"text": one_line(part.text), "place": part.place} for part in parts[:1]]


def split_into_chunks(parts: Iterable[DocumentPart]) -> list[str]:
    """Split the text, with its places, between parts into chunks of about CHUNK characters."""
    chunks: list[list[str]] = []
    space = 0
    for part in parts:
        piece = f"[{part.place}]\n{part.text}"
        if len(piece) > space or not chunks:
            chunks.append([])
            space = CHUNK
        chunks[-1].append(piece)
        space -= len(piece) + 2
    return ["\n\n".join(chunk) for chunk in chunks]


def merge_dives(dives: Sequence[Dive]) -> dict[str, Any]:
    return dive_fields(
        next((dive.purpose for dive in dives if dive.purpose.strip()), ""),
        {name: [getattr(dive, name) for dive in dives] for name in LISTS},
    )


def dive_fields(purpose: str, lists: dict[str, list[list[str]]]) -> dict[str, Any]:
    merged = {name: merge_statements(*found) for name, found in lists.items()}
    return {"purpose": one_line(purpose, LONGEST_PURPOSE), **merged}


def _inputs(row: Document, chunks: Sequence[str]) -> list[DiveInput]:
    language = language_name(next(iter(options_of(row.bot).languages), "en"))
    return [
        DiveInput(language=language, name=row.name, chunk=f"{n} of {len(chunks)}", text=text)
        for n, text in enumerate(chunks, start=1)
    ]


async def _ask_all(inputs: Sequence[DiveInput], bot: Bot) -> list[Outcome[Dive]]:
    semaphore = asyncio.Semaphore(AT_ONCE)
    context = call_context(bot, SECONDS)

    async def ask_one(data: DiveInput) -> Outcome[Dive]:
        async with semaphore:
            return await ask(DIVE, data, context)

    return await asyncio.gather(*(ask_one(data) for data in inputs))


def _failure_reason(outcomes: Iterable[Outcome[Dive]]) -> str:
    why = next((one.reason for one in outcomes if one.reason), "its answer was empty")
    return f"The model did not look into it ({why})."


def _omissions(answered: int, asked: int, chunks: int) -> str:
    omissions = []
    if chunks > asked:
        omissions.append(f"It is long: the model read the first {asked} of its {chunks} pieces.")
    if asked > answered:
        omissions.append(f"For {asked - answered} of {asked} pieces the model gave no answer.")
    return " ".join(omissions)
