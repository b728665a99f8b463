from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.contact_data.masking import HIDDEN
from interviews.measures.response_quality.score import Answer, Effort, rate_answers

# other requests, such as for consent or an address, are answered in a word
OPEN_QUESTIONS = frozenset(
    {EntryKind.SCRIPTED_QUESTION, EntryKind.TOPIC_QUESTION, EntryKind.QUESTION, EntryKind.FOLLOW_UP}
)


class SpokenEntry(Protocol):
    """A transcript entry, wherever it was read from."""

    @property
    def position(self) -> int: ...
    @property
    def role(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def text(self) -> str: ...


class Measured(Protocol):
    @property
    def response_ms(self) -> int | None: ...
    @property
    def pasted_characters(self) -> int | None: ...


def efforts(
    entries: Iterable[SpokenEntry],
    language: str,
    measures: Mapping[int, Measured],
    appearing: Mapping[int, int | None],
    declined: Collection[int],
) -> dict[int, Effort]:
    """Rate each answer that can be rated, by position.

    `entries` are in order, `appearing` the milliseconds that a question took to appear, by
    position; `declined` are positions where the question was declined or the interview stopped.
    """
    found: dict[int, Answer] = {}
    question: SpokenEntry | None = None
    for entry in entries:
        if entry.role == SpeakerRole.INTERVIEWER:
            question = entry
        elif (
            question is not None
            and _can_be_rated(entry, question)
            and entry.position not in declined
        ):
            measured = measures.get(entry.position)
            head_start = appearing.get(question.position) or 0
            found[entry.position] = _answer(entry, question, language, measured, head_start)
    return dict(zip(found, rate_answers(list(found.values())), strict=True))


def _can_be_rated(entry: SpokenEntry, question: SpokenEntry) -> bool:
    answered = question.kind in OPEN_QUESTIONS and entry.kind == EntryKind.USER_ANSWER
    return answered and HIDDEN not in entry.text  # the words of confidential answers are gone


def _answer(
    entry: SpokenEntry,
    question: SpokenEntry,
    language: str,
    measured: Measured | None,
    head_start: int,
) -> Answer:
    answered = measured.response_ms if measured else None
    return Answer(
        text=entry.text,
        question=question.text,
        language=language,
        seconds=None if answered is None else (answered + head_start) / 1000,
        pasted=measured.pasted_characters if measured else None,
    )
