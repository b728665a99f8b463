from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.contact_data.masking import HIDDEN
from interviews.engine.context import TranscriptLine
from interviews.measures.response_quality.score import Answer, Effort, rate_answers, rate_latest
from interviews.models import Paradata, TranscriptEntry

# other requests, such as for consent or an address, are answered in a word
OPEN_QUESTIONS = frozenset(
    {EntryKind.SCRIPTED_QUESTION, EntryKind.TOPIC_QUESTION, EntryKind.QUESTION, EntryKind.FOLLOW_UP}
)


Spoken = TypeVar("Spoken", TranscriptLine, TranscriptEntry)


def effort_of_latest(
    before: Iterable[TranscriptLine],
    answer: TranscriptLine,
    language: str,
    measured: Paradata | None,
    head_start: int,
) -> Effort | None:
    """Rate an answer to the lines before it; None if it can't be rated.

    `head_start` is for how many milliseconds the question was appearing.
    """
    answered = list(_answered([*before, answer], language))
    if not answered or answered[-1][0] is not answer:
        return None
    *earlier, latest = [found for _, _, found in answered]
    return rate_latest([*earlier, _timed(latest, measured, head_start)])


def efforts(
    entries: Iterable[TranscriptEntry],
    language: str,
    measures: Mapping[int, Paradata],
    appearing: Mapping[int, int | None],
    declined: Collection[int],
) -> dict[int, Effort]:
    """Rate each answer that can be rated, by position.

    `entries` are in order, `appearing` the milliseconds that a question took to appear, by
    position; `declined` are positions where the question was declined or the interview stopped.
    """
    answered = list(_answered(entries, language))
    timed = [
        _timed(found, measures.get(entry.position), appearing.get(question.position) or 0)
        for entry, question, found in answered
    ]
    rated = zip(answered, rate_answers(timed), strict=True)
    return {
        entry.position: effort for (entry, _, _), effort in rated if entry.position not in declined
    }


def _answered(entries: Iterable[Spoken], language: str) -> Iterator[tuple[Spoken, Spoken, Answer]]:
    """Yield each answer that can be rated, with its question."""
    question: Spoken | None = None
    for entry in entries:
        if entry.role == SpeakerRole.INTERVIEWER:
            question = entry
        elif question is not None and _can_be_rated(entry, question):
            yield entry, question, Answer(entry.text, question.text, language)


def _can_be_rated(entry: Spoken, question: Spoken) -> bool:
    answered = question.kind in OPEN_QUESTIONS and entry.kind == EntryKind.USER_ANSWER
    return answered and HIDDEN not in entry.text  # the words of confidential answers are gone


def _timed(answer: Answer, measured: Paradata | None, head_start: int) -> Answer:
    if measured is None:
        return answer
    ms = measured.response_ms
    seconds = None if ms is None else (ms + head_start) / 1000
    return replace(answer, seconds=seconds, pasted=measured.pasted_characters)
