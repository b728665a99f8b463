"""The deep dive: what a model finds in one document, chunk by chunk, and what of it is kept."""

import asyncio
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from llm.gateway import ask
from llm.routing.routes import routes
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Outcome, Source
from llm.tasks.task import Spoken, Task, Tier
from plans.bots.budgets import budget_of
from plans.documents import summary
from plans.models import Bot, Document, DocumentPart
from plans.protocols.knowledge_transfer.analysis.statements import merge_statements, one_line
from plans.protocols.knowledge_transfer.content import DeepDive, options_of
from plans.text.languages import language_name

CHUNK = 40_000  # characters
MOST_CHUNKS = 10
AT_ONCE = 3
SECONDS = 600.0  # for all of them; a job may take longer
POINTS = 8
LONGEST_PURPOSE = 600
LISTS = tuple(name for name in DeepDive.model_fields if name not in ("purpose", "points"))


class DiveInput(BaseModel):
    """One chunk of a document."""

    language: str
    name: Spoken
    chunk: str
    text: Spoken


class Dive(BaseModel):
    """What a model finds in it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

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
    """What came of it: the fields of a deep dive without its points, and what was left out.

    There are no fields where no model has found anything.
    """

    fields: dict[str, Any] = field(default_factory=dict)
    reason: str = ""


def analyse_document(row: Document, parts: Sequence[DocumentPart]) -> DiveResult:
    """Has a model look into the document. Without a model nothing is found, and no reason given."""
    if not routes(DIVE, CallContext()):
        return DiveResult()
    chunks = split_into_chunks(parts)
    outcomes = asyncio.run(_asked(_inputs(row, chunks[:MOST_CHUNKS]), row.bot))
    dives = [one.value for one in outcomes if one.source is not Source.FALLBACK]
    fields = merge_dives(dives)
    if not any(fields.values()):
        return DiveResult(reason=_nothing(outcomes))
    return DiveResult(fields, _left_out(len(dives), len(outcomes), len(chunks)))


def points_of(parts: Sequence[DocumentPart]) -> list[dict[str, str]]:
    """The document's own sentences that say most of it, [{text, place}]; its beginning at least."""
    found = [{"text": one.text, "place": one.place} for one in summary(parts, POINTS)]
    return found or [{"text": one_line(part.text), "place": part.place} for part in parts[:1]]


def split_into_chunks(parts: Iterable[DocumentPart]) -> list[str]:
    """The whole text with its places, in as many pieces as a model needs to read it."""
    chunks: list[list[str]] = []
    room = 0
    for part in parts:
        piece = f"[{part.place}]\n{part.text}"
        if len(piece) > room or not chunks:
            chunks.append([])
            room = CHUNK
        chunks[-1].append(piece)
        room -= len(piece) + 2
    return ["\n\n".join(chunk) for chunk in chunks]


def merge_dives(dives: Sequence[Dive]) -> dict[str, Any]:
    """The dives into a document's chunks as one, within bounds."""
    return dive_fields(
        next((dive.purpose for dive in dives if dive.purpose.strip()), ""),
        {name: [getattr(dive, name) for dive in dives] for name in LISTS},
    )


def dive_fields(purpose: str, lists: dict[str, list[list[str]]]) -> dict[str, Any]:
    """The fields of a deep dive, each list gathered from several."""
    kept = {name: merge_statements(*found) for name, found in lists.items()}
    return {"purpose": one_line(purpose, LONGEST_PURPOSE), **kept}


def _inputs(row: Document, chunks: Sequence[str]) -> list[DiveInput]:
    language = language_name(next(iter(options_of(row.bot).languages), "en"))
    return [
        DiveInput(language=language, name=row.name, chunk=f"{n} of {len(chunks)}", text=text)
        for n, text in enumerate(chunks, start=1)
    ]


async def _asked(inputs: Sequence[DiveInput], bot: Bot) -> list[Outcome[Dive]]:
    """About all chunks, a few at once, within the time for all of them."""
    turns = asyncio.Semaphore(AT_ONCE)
    subject = CallContext(
        bot=str(bot.pk),
        models=bot.model_overrides,
        deadline=time.monotonic() + SECONDS,
        budget=budget_of(bot),
    )

    async def one(data: DiveInput) -> Outcome[Dive]:
        async with turns:
            return await ask(DIVE, data, subject)

    return await asyncio.gather(*(one(data) for data in inputs))


def _nothing(outcomes: Iterable[Outcome[Dive]]) -> str:
    why = next((one.reason for one in outcomes if one.reason), "its answer was empty")
    return f"The model did not look into it ({why})."


def _left_out(found: int, asked: int, chunks: int) -> str:
    """What of the document no model has looked into, in words."""
    told = []
    if chunks > asked:
        told.append(f"It is long: the model read the first {asked} of its {chunks} pieces.")
    if asked > found:
        told.append(f"For {asked - found} of {asked} pieces the model gave no answer.")
    return " ".join(told)
