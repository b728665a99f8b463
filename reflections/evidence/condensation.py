"""Words that are too many for one call, section by section.

    transcript -> pieces along its sections -> CONDENSE the longest -> (the others too) -> text

A condensed piece keeps quotes word for word, with their positions; an answer that none of them is
from stays as it was said. A piece that could not be condensed stays whole.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from django.conf import settings
from pydantic import BaseModel

from interviews.choices import SpeakerRole
from llm.gateway import ask
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Source
from llm.tasks.task import Retries, Spoken, Task, Tier
from plans.jobs import JobFailed, PermanentFailure
from reflections.evidence.checks import checked
from reflections.evidence.transcript import Transcript, TranscriptLine
from reflections.evidence.types import Quote, Statement, StoredModel

SECONDS = 90.0  # that one call is waited for
PIECE = 24_000  # characters that are condensed in one call
SHRINKS = 2  # a condensed piece is hoped to be shorter by this factor


class CondenseInput(BaseModel):
    """A part of an interview."""

    language: str
    section: Spoken
    part: Spoken


class PartCondensed(StoredModel):
    """The part in fewer words."""

    statements: tuple[Statement, ...]


CONDENSE = Task(
    name="reflections.condense",
    tier=Tier.MAIN,
    template=Path(__file__).parent / "prompts/condense.md",
    input=CondenseInput,
    output=PartCondensed,
    fallback=lambda data: PartCondensed(statements=()),
    timeout=SECONDS,
    max_tokens=8_000,
    temperature=0.2,
    retries=Retries((1.0,), 2 * SECONDS, 0.0),
)


@dataclass(frozen=True, slots=True)
class ReadableTranscript:
    """A transcript as one call can read it."""

    text: str
    condensed: int  # sections that were condensed


async def readable(transcript: Transcript, subject: CallContext) -> ReadableTranscript:
    """The numbered transcript whole, or condensed as far as it must be.

    Raises JobFailed where parts of it could not be condensed, PermanentFailure where it stays too
    long.
    """
    if _fits(transcript.numbered):
        return ReadableTranscript(transcript.numbered, 0)
    pieces = dict(enumerate(pieces_of(transcript)))
    shorter, reasons = dict[int, str](), list[str]()
    for chosen in _rounds(pieces):
        asked = (_condensed(pieces[place], subject) for place in chosen)
        for place, (text, reason) in zip(chosen, await asyncio.gather(*asked), strict=True):
            if text:
                shorter[place] = text
            else:
                reasons.append(reason)
        text = "\n".join(shorter.get(place) or one.numbered for place, one in pieces.items())
        if _fits(text):
            return ReadableTranscript(text, _sections(pieces[place] for place in shorter))
    raise _too_long(reasons)


def pieces_of(transcript: Transcript) -> Iterator[Transcript]:
    """The transcript cut along its sections, into pieces that one call condenses.

    Short sections go together, long ones are cut between two lines.
    """
    most = min(PIECE, settings.REFLECTION_CHARACTERS // 2)
    lines, length = list[TranscriptLine](), 0
    for line in transcript.lines:
        turns = bool(lines) and lines[-1].section != line.section and length > most // 3
        if turns or (lines and length + len(line.text) > most):
            yield replace(transcript, lines=tuple(lines))
            lines, length = [], 0
        lines.append(line)
        length += len(line.text)
    if lines:
        yield replace(transcript, lines=tuple(lines))


def _fits(text: str) -> bool:
    return bool(len(text) <= settings.REFLECTION_CHARACTERS)


def _rounds(pieces: Mapping[int, Transcript]) -> Iterator[list[int]]:
    """As many of the longest as should do; if they don't, the others."""
    length = sum(len(one.numbered) + 1 for one in pieces.values())
    longest = sorted(pieces, key=lambda place: -len(pieces[place].numbered))
    chosen = list[int]()
    for place in longest:
        if length <= settings.REFLECTION_CHARACTERS:
            break
        chosen.append(place)
        length -= len(pieces[place].numbered) * (SHRINKS - 1) // SHRINKS
    yield chosen
    if len(chosen) < len(longest):
        yield longest[len(chosen) :]


async def _condensed(piece: Transcript, subject: CallContext) -> tuple[str, str]:
    """The piece in fewer words; or none, and why."""
    data = CondenseInput(language=piece.language, section=_titles(piece), part=piece.numbered)
    outcome = await ask(CONDENSE, data, subject)
    if outcome.source is Source.FALLBACK:
        return "", outcome.reason
    kept, _ = checked(outcome.value.statements, piece, CONDENSE.template)
    text = _written(piece, kept)
    if not kept or len(text) >= len(piece.numbered):
        return "", "what the model wrote was no shorter, or quoted nothing that was said"
    return text, ""


def _written(piece: Transcript, statements: Iterable[Statement]) -> str:
    """A heading, the points with their quotes, then the answers of which nothing was quoted."""
    told = list(statements)
    quoted = {quote.position for one in told for quote in one.quotes}
    first, last = piece.lines[0].position, piece.lines[-1].position
    head = f"(Lines {first} to {last}, {_titles(piece)}: condensed, with quotes word for word.)"
    left = _unquoted(piece, quoted)
    return "\n".join([head, *map(_point, told), *([left.numbered] if left.lines else [])])


def _point(one: Statement) -> str:
    return " ".join([f"- {one.text}", *map(_quote, one.quotes)])


def _quote(quote: Quote) -> str:
    return f"[{quote.position}] “{' '.join(quote.text.split())}”"


def _unquoted(piece: Transcript, quoted: set[int]) -> Transcript:
    """The answers at other positions, each with what was said before it."""
    lines = piece.lines
    left = {
        near
        for place, line in enumerate(lines)
        if line.role == SpeakerRole.PARTICIPANT and line.position not in quoted
        for near in (place - 1, place)
        if near >= 0 and (near == place or lines[near].role == SpeakerRole.INTERVIEWER)
    }
    return replace(piece, lines=tuple(lines[place] for place in sorted(left)))


def _titles(piece: Transcript) -> str:
    return ", ".join(dict.fromkeys(line.section for line in piece.lines if line.section)) or "-"


def _sections(pieces: Iterable[Transcript]) -> int:
    return len({line.section for piece in pieces for line in piece.lines})


def _too_long(reasons: Iterable[str]) -> JobFailed:
    """Why it can't be read; worth another try where a model failed."""
    why = "; ".join(dict.fromkeys(filter(None, reasons)))
    if why:
        return JobFailed(f"The interview is too long for one call, and not condensed: {why}.")
    return PermanentFailure(
        "The interview is too long for one call, even with all of it condensed."
    )
