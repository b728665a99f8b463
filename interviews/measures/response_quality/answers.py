"""The answers of a transcript that can be rated, with what was measured of them."""

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.contact_data.masking import HIDDEN
from interviews.measures.response_quality.score import Answer, Effort, rated

TO_TELL = frozenset(
    {EntryKind.SCRIPTED_QUESTION, EntryKind.TOPIC_QUESTION, EntryKind.QUESTION, EntryKind.FOLLOW_UP}
)  # what else is asked for, such as consent or an address, is answered in a word


class SpokenEntry(Protocol):
    """An utterance, wherever it was read from."""

    @property
    def position(self) -> int: ...
    @property
    def role(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def text(self) -> str: ...


class Measured(Protocol):
    """What was measured of an answer."""

    @property
    def response_ms(self) -> int | None: ...
    @property
    def pasted_characters(self) -> int | None: ...


def efforts(
    said: Iterable[SpokenEntry],
    language: str,
    measures: Mapping[int, Measured],
    appearing: Mapping[int, int | None],
    declined: Collection[int],
) -> dict[int, Effort]:
    """Position -> rating of each answer that can have one.

    In: all that was said, in order; the measures by position; for how many milliseconds the
    question of a position was appearing; where the question was declined or stopping spoken of.
    """
    found: dict[int, Answer] = {}
    question: SpokenEntry | None = None
    for one in said:
        if one.role == SpeakerRole.INTERVIEWER:
            question = one
        elif question is not None and _can_be_rated(one, question) and one.position not in declined:
            measured = measures.get(one.position)
            head_start = appearing.get(question.position) or 0
            found[one.position] = _answer(one, question, language, measured, head_start)
    return dict(zip(found, rated(list(found.values())), strict=True))


def _can_be_rated(said: SpokenEntry, question: SpokenEntry) -> bool:
    """Not what was given in confidence: the transcript doesn't have its words."""
    return (
        question.kind in TO_TELL and said.kind == EntryKind.USER_ANSWER and HIDDEN not in said.text
    )


def _answer(
    said: SpokenEntry,
    question: SpokenEntry,
    language: str,
    measured: Measured | None,
    head_start: int,
) -> Answer:
    answered = measured.response_ms if measured else None
    return Answer(
        text=said.text,
        question=question.text,
        language=language,
        seconds=None if answered is None else (answered + head_start) / 1000,
        pasted=measured.pasted_characters if measured else None,
    )
