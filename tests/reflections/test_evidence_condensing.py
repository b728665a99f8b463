"""Interviews of any length are read; what is condensed keeps its quotes, and nothing is lost."""

import asyncio
import re

import pytest

from llm.providers.base import Fault, ProviderError
from llm.tasks.call_context import CallContext
from plans.jobs import JobFailed, PermanentFailure
from reflections.evidence.condensation import (
    CONDENSE,
    PartCondensed,
    readable_transcript,
    split_transcript,
)
from reflections.evidence.material import transcript_of
from reflections.evidence.quotes import find_quote
from reflections.evidence.transcript import Transcript, TranscriptLine
from reflections.evidence.types import Quote, Statement
from tests.conftest import make_twofold_bot
from tests.factories import SessionFactory, talk
from tests.fake_provider import FakeProvider
from tests.llm.conftest import QUICK, fake, server  # noqa: F401  (fixtures)
from tests.scripted import scripted

LIMIT = 60_000
RECORDS: list[object] = []
SUBJECT = CallContext("s-1", record=RECORDS.append)
SECTIONS = ("Childhood", "School", "Work", "Love", "Today")
QUOTED = re.compile(r"\[(\d+)\] “([^”]+)”")


@pytest.fixture(autouse=True)
def model(settings):
    for name, value in QUICK.items():
        setattr(settings, name, value)
    settings.REFLECTION_CHARACTERS = LIMIT


def answer(turn: int) -> str:
    return f"In my year {turn} there was a thing that I never told, about {turn} boats. " * 4


def beginning(turn: int) -> str:
    return f"In my year {turn} there was a thing"


def interview(turns: int = 300, sections: tuple[str, ...] = SECTIONS) -> Transcript:
    """So many turns, as many in each section."""
    lines = []
    for turn in range(turns):
        section = sections[turn * len(sections) // turns]
        asked = f"What came in year {turn}?"
        lines.append(TranscriptLine(2 * turn + 1, "interviewer", asked, f"q{turn}", section))
        lines.append(TranscriptLine(2 * turn + 2, "participant", answer(turn), f"q{turn}", section))
    return Transcript("en", "A life", tuple(lines))


def read(transcript: Transcript):
    return asyncio.run(readable_transcript(transcript, SUBJECT))


def quoting(*positions: int) -> PartCondensed:
    quotes = tuple(Quote(position=p, text=beginning(p // 2 - 1)) for p in positions)
    return PartCondensed(statements=(Statement(text="It is told.", quotes=quotes),))


def test_what_fits_is_read_as_it_is():
    short = interview(20)
    assert (read(short).text, read(short).condensed) == (short.numbered, 0)
    assert scripted.requests == []


@pytest.mark.parametrize("wire", ["anthropic", "openai"])
def test_three_hundred_turns_are_all_accounted_for(fake: FakeProvider, settings, wire):  # noqa: F811
    settings.LLM_PROVIDER = wire
    long = interview()
    made = read(long)
    assert len(long.numbered) > LIMIT >= len(made.text)
    assert 0 < made.condensed <= len(SECTIONS)
    for position, text in long.answers.items():
        whole = f"[{position}] Participant: {text.strip()}" in made.text
        quoted = f"[{position}] “" in made.text
        assert whole or quoted, position
    for position, words in QUOTED.findall(made.text):
        assert find_quote(words, long.answers, int(position)).position == int(position)


def test_no_more_is_condensed_than_must_be():
    scripted.always(CONDENSE.name, quoting(*range(2, 602, 2)))
    one_too_many = interview(190)
    made = read(one_too_many)
    assert made.condensed == 1
    assert len(scripted.asked(CONDENSE.name)) == 1


def test_an_answer_that_is_not_quoted_stays_with_its_question():
    turn = 240  # the first of the last section, which is the longest
    scripted.always(
        CONDENSE.name, quoting(*range(2, 2 * turn + 2, 2), *range(2 * turn + 4, 602, 2))
    )
    text = read(interview()).text
    asked = f"[{2 * turn + 1}] Interviewer: What came in year {turn}?"
    assert f"{asked}\n[{2 * turn + 2}] Participant: {answer(turn).strip()}" in text
    assert f"[{2 * turn + 3}] Interviewer" not in text


def test_the_pieces_are_the_whole_along_its_sections():
    long = interview(600)
    pieces = list(split_transcript(long))
    assert tuple(line for piece in pieces for line in piece.lines) == long.lines
    assert all(len({line.section for line in piece.lines}) == 1 for piece in pieces)
    assert all(sum(len(line.text) for line in piece.lines) <= 24_000 for piece in pieces)


def test_sections_of_a_line_go_together():
    titles = tuple(f"Section {i}" for i in range(300))
    assert len(list(split_transcript(interview(300, titles)))) < 15


def test_a_part_that_fails_stays_whole_where_there_is_room():
    scripted.reply(CONDENSE.name, ProviderError(Fault.BAD_REQUEST, "no"))
    scripted.always(CONDENSE.name, quoting(*range(2, 602, 2)))
    long = interview(220)
    made = read(long)
    assert len(made.text) <= LIMIT
    assert any(piece.numbered in made.text for piece in split_transcript(long))
    assert "condensed, with quotes" in made.text


@pytest.mark.parametrize(
    "reply",
    [
        ProviderError(Fault.BAD_REQUEST, "no"),
        "no object",
        PartCondensed(statements=()),
        PartCondensed(
            statements=(Statement(text="Lies.", quotes=(Quote(position=2, text="I sank them"),)),)
        ),
    ],
)
def test_where_nothing_can_be_condensed_it_says_so(reply):
    scripted.always(CONDENSE.name, reply)
    with pytest.raises(JobFailed, match="too long for one call, and not condensed") as caught:
        read(interview())
    assert not isinstance(caught.value, PermanentFailure)


def test_without_a_model_it_says_so(settings):
    settings.LLM_PROVIDER = "offline"
    with pytest.raises(JobFailed, match="offline"):
        read(interview())


def test_too_long_even_so_is_hopeless(settings):
    settings.REFLECTION_CHARACTERS = 9_000
    scripted.always(CONDENSE.name, quoting(*range(2, 602, 2)))
    with pytest.raises(PermanentFailure, match="even with all of it condensed"):
        read(interview())


@pytest.mark.django_db
def test_lines_stand_in_the_sections_of_their_own_questions():
    session = talk(SessionFactory(bot=make_twofold_bot()), ["one", "two", "three", "four"])
    lines = [line for line in transcript_of(session).lines if line.question]
    assert [line.section for line in lines] == [*["Life"] * 6, *["Later"] * 3]
