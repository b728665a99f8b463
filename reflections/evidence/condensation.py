"""Shorten a transcript that is too long for one call, section by section.

transcript -> pieces along its sections -> CONDENSE the longest -> (the others too) -> text

A condensed piece keeps quotes word for word with their positions, and in full every answer that is
not quoted. A piece that could not be condensed stays whole.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from django.conf import settings
from pydantic import BaseModel

from interviews.choices import SpeakerRole
from llm.gateway import ask
from llm.tasks.call_context import CallContext
from llm.tasks.task import LanguageTag, Spoken
from plans.jobs import JobFailed, PermanentFailure
from reflections.evidence.background_task import background_task
from reflections.evidence.checks import check_statements
from reflections.evidence.transcript import Transcript, TranscriptLine
from reflections.evidence.types import Statement, StoredModel

PIECE = 24_000  # characters that are condensed in one call
SHRINKS = 2  # a condensed piece is hoped to be shorter by this factor


class CondenseInput(BaseModel):
    language: LanguageTag
    section: Spoken
    part: Spoken


class PartCondensed(StoredModel):
    """The part in fewer words."""  # sent to models in the schema

    statements: tuple[Statement, ...]


CONDENSE = background_task(
    "reflections.condense",
    Path(__file__).parent / "prompts/condense.md",
    CondenseInput,
    PartCondensed(statements=()),
    8_000,
)


@dataclass(frozen=True, slots=True)
class ReadableTranscript:
    text: str
    condensed: int  # sections that were condensed


async def readable_transcript(transcript: Transcript, context: CallContext) -> ReadableTranscript:
    """Return the numbered transcript, condensed as far as it must be.

    Raises JobFailed if parts could not be condensed, PermanentFailure if it stays too long.
    """
    if _fits(transcript.numbered):
        return ReadableTranscript(transcript.numbered, 0)
    pieces = dict(enumerate(split_transcript(transcript)))
    shorter, reasons = dict[int, str](), list[str]()
    for chosen in _pieces_to_condense(pieces):
        asked = (_condense(pieces[place], context) for place in chosen)
        for place, (text, reason) in zip(chosen, await asyncio.gather(*asked), strict=True):
            if text:
                shorter[place] = text
            else:
                reasons.append(reason)
        text = "\n".join(shorter.get(place) or one.numbered for place, one in pieces.items())
        if _fits(text):
            sections = {line.section for place in shorter for line in pieces[place].lines}
            return ReadableTranscript(text, len(sections))
    raise _too_long_error(reasons)


def split_transcript(transcript: Transcript) -> Iterator[Transcript]:
    """Yield pieces that one call can condense.

    Short sections stay together; long ones are cut between two lines.
    """
    limit = min(PIECE, settings.REFLECTION_CHARACTERS // 2)
    lines, length = list[TranscriptLine](), 0
    for line in transcript.lines:
        new_section = bool(lines) and lines[-1].section != line.section and length > limit // 3
        if new_section or (lines and length + len(line.text) > limit):
            yield replace(transcript, lines=tuple(lines))
            lines, length = [], 0
        lines.append(line)
        length += len(line.text)
    if lines:
        yield replace(transcript, lines=tuple(lines))


def _fits(text: str) -> bool:
    return bool(len(text) <= settings.REFLECTION_CHARACTERS)


def _pieces_to_condense(pieces: Mapping[int, Transcript]) -> Iterator[list[int]]:
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


async def _condense(piece: Transcript, context: CallContext) -> tuple[str, str]:
    """Return the shorter text and "", or "" and why there is none."""
    titles = _section_titles(piece)
    data = CondenseInput(language=piece.language, section=titles, part=piece.numbered)
    outcome = await ask(CONDENSE, data, context)
    if not outcome.by_model:
        return "", outcome.reason
    kept, _ = check_statements(outcome.value.statements, piece, CONDENSE.template)
    text = _condensed_text(piece, kept)
    if not kept or len(text) >= len(piece.numbered):
        return "", "what the model wrote was no shorter, or quoted nothing that was said"
    return text, ""


def _condensed_text(piece: Transcript, statements: Sequence[Statement]) -> str:
    quoted = {quote.position for one in statements for quote in one.quotes}
    first, last = piece.lines[0].position, piece.lines[-1].position
    titles = _section_titles(piece)
    head = f"(Lines {first} to {last}, {titles}: condensed, with quotes word for word.)"
    left = _unquoted_answers(piece, quoted)
    return "\n".join([head, *map(_point, statements), *([left.numbered] if left.lines else [])])


def _point(statement: Statement) -> str:
    quotes = (f"[{one.position}] “{' '.join(one.text.split())}”" for one in statement.quotes)
    return " ".join([f"- {statement.text}", *quotes])


def _unquoted_answers(piece: Transcript, quoted: set[int]) -> Transcript:
    lines = piece.lines
    left = {
        near
        for place, line in enumerate(lines)
        if line.role == SpeakerRole.PARTICIPANT and line.position not in quoted
        for near in (place - 1, place)
        if near >= 0 and (near == place or lines[near].role == SpeakerRole.INTERVIEWER)
    }
    return replace(piece, lines=tuple(lines[place] for place in sorted(left)))


def _section_titles(piece: Transcript) -> str:
    return ", ".join(dict.fromkeys(line.section for line in piece.lines if line.section)) or "-"


def _too_long_error(reasons: Iterable[str]) -> JobFailed:
    why = "; ".join(dict.fromkeys(filter(None, reasons)))
    if why:
        return JobFailed(f"The interview is too long for one call, and not condensed: {why}.")
    return PermanentFailure(
        "The interview is too long for one call, even with all of it condensed."
    )
