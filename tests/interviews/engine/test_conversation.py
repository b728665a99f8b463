"""The conversation as a model sees it."""

from dataclasses import replace

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine import conversation as module
from interviews.engine.context import TranscriptLine
from interviews.engine.conversation import conversation
from tests.interviews.engine.tiny import turn


def exchange(number: int) -> tuple[TranscriptLine, TranscriptLine]:
    asked = f"Question {number}?".ljust(100)
    told = f"Answer {number}".ljust(400, ".")
    return (
        TranscriptLine(SpeakerRole.INTERVIEWER, EntryKind.QUESTION, asked),
        TranscriptLine(SpeakerRole.PARTICIPANT, EntryKind.USER_ANSWER, told),
    )


def seen(exchanges: int) -> list[str]:
    lines = [line for number in range(exchanges) for line in exchange(number)]
    return [one.text for one in conversation(replace(turn("And then?"), transcript=tuple(lines)))]


def test_it_only_grows_at_its_end():
    shorter, longer = seen(5), seen(6)
    assert longer[: len(shorter)] == shorter


def test_an_empty_one_is_empty():
    assert seen(0) == []


def test_past_the_limit_its_beginning_becomes_a_line_an_answer(monkeypatch):
    monkeypatch.setattr(module, "MOST", 10_000)
    monkeypatch.setattr(module, "STEP", 2_500)
    assert len(seen(20)) == 40
    first, *rest = seen(21)
    assert first.splitlines()[0].startswith("- Answer 0....")
    assert len(first.splitlines()) == 5
    assert len(rest) == 32
    assert all(len(line) < 130 for line in first.splitlines())
    assert seen(24)[:33] == [first, *rest]  # the cache still holds it
