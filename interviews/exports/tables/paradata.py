from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from interviews.choices import EntryKind, SpeakerRole
from interviews.exports.columns import Table, columns_of
from interviews.exports.database_cursor import iterate_rows
from interviews.exports.reasons import NO_ANSWER
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches, by_session, keys
from interviews.exports.utterances import (
    CHUNK,
    IN_ORDER,
    FinishedTurn,
    OpenQuestionTracker,
    TranscriptUtterance,
    conversations,
    word_count,
)
from interviews.measures.response_quality import HURRIED, REASONS, Effort, efforts
from interviews.models import Paradata, Turn

SIGNS = "; ".join(f"{sign}: {reason}" for sign, reason in REASONS.items())
ANSWER_KINDS = (EntryKind.USER_ANSWER, EntryKind.CANDIDATE_QUESTION, EntryKind.SKIP)


class Measures(NamedTuple):
    response_ms: Annotated[
        int | None,
        "Milliseconds from when the question stood whole in the transcript to when the answer was "
        "received, by the server's clock, without pauses that were asked for. Time away and "
        "offline is in it. Empty beyond 24 days.",
    ] = None
    first_key_ms: Annotated[
        int | None,
        "Milliseconds from when the page showed the question to the first thing put into the text "
        "box by key, paste or voice, by the participant's clock, without pauses. 0: the words had "
        "been begun before the question came.",
    ] = None
    edits: Annotated[
        int | None,
        "How often words were deleted or replaced; plain typing doesn't count. On phones, whose "
        "keyboards rewrite words by themselves, a rough figure.",
    ] = None
    pastes: Annotated[
        int | None, "How often something was pasted or dropped into the text box."
    ] = None
    pasted_characters: Annotated[
        int | None,
        "Characters (UTF-16 units) of all that was pasted or dropped, also if it was deleted "
        "again; the participant's own words that were moved are among them.",
    ] = None
    focus_losses: Annotated[
        int | None,
        "How often the page was left for another page or program while the question was open. "
        "Loading it again within 5 seconds doesn't count.",
    ] = None
    away_ms: Annotated[
        int | None, "Milliseconds for which it was left, by the participant's clock."
    ] = None
    dictated: Annotated[bool | None, "Some of it was spoken into the page."] = None


NOT_MEASURED = Measures()


class ParadataRow(NamedTuple):
    session: ExportedSession
    position: Annotated[int, "Place of the answer in the transcript, from 1."]
    turn: Annotated[int, "Number of its turn."]
    question: Annotated[str, "Key of the question that was open."]
    question_number: Annotated[
        int | None, "That question's number in the interview, from 1, where questions are counted."
    ]
    kind: Annotated[
        str,
        "What the participant did.",
        {str(kind.value): str(kind.label) for kind in ANSWER_KINDS},
    ]
    words: Annotated[int, "Words in it, separated by white space."]
    measures: Measures
    effort_score: Annotated[
        float | None,
        "How much speaks for haste, by rules, from 0 (nothing) to 1. Made anew by each export, of "
        "the transcript and these measures; nobody was treated by it. Empty for skips, refusals, "
        "words about stopping, and what was given in confidence.",
    ]
    looks_hurried: Annotated[
        bool | None,
        f"The score is {HURRIED} or more: worth reading again, and no proof of anything.",
    ]
    effort_signs: Annotated[
        str | None, f"What speaks for haste, the weightiest first, with spaces between. {SIGNS}."
    ]


def rows(selection: Selection) -> Iterator[ParadataRow]:
    for batch in batches(selection.with_content()):
        stored = by_session(batch, _measures(batch))
        for (session, said, turns), (_, found) in zip(conversations(batch), stored, strict=True):
            measures = {position: Measures(*values) for _, position, *values in found}
            yield from _rows_of_session(session, said, turns, measures)


def _measures(batch: Sequence[ExportedSession]) -> Iterator[Any]:
    stored = Paradata.objects.filter(entry__session__in=keys(batch))
    ordered = stored.order_by(*(f"entry__{name}" for name in (*IN_ORDER, "position")))
    fields = ("entry__session_id", "entry__position", *Measures._fields)
    return iterate_rows(ordered.values_list(*fields), CHUNK)


def _rows_of_session(
    session: ExportedSession,
    said: list[TranscriptUtterance],
    turns: list[FinishedTurn],
    measures: Mapping[int, Measures],
) -> Iterator[ParadataRow]:
    ratings = _efforts(session, said, turns, measures)
    tracker = OpenQuestionTracker()
    for one in said:
        tracker.update(one)
        if one.role == SpeakerRole.PARTICIPANT:
            effort = ratings.get(one.position)
            yield ParadataRow(
                session,
                position=one.position,
                turn=one.turn,
                question=tracker.question,
                question_number=tracker.number,
                kind=one.kind,
                words=word_count(one.text),
                measures=measures.get(one.position, NOT_MEASURED),
                effort_score=effort.score if effort else None,
                looks_hurried=effort.hurried if effort else None,
                effort_signs=" ".join(effort.signs) or None if effort else None,
            )


def _efforts(
    session: ExportedSession,
    said: list[TranscriptUtterance],
    turns: list[FinishedTurn],
    measures: Mapping[int, Measures],
) -> dict[int, Effort]:
    declined = {turn.number for turn in turns if turn.decision.get("reason") in NO_ANSWER}
    shown_for = {turn.number: display_ms(turn) for turn in turns}
    return efforts(
        said,
        session.language,
        measures,
        {one.position: shown_for.get(one.turn) for one in said},
        {one.position for one in said if one.turn in declined},
    )


def display_ms(turn: FinishedTurn | Turn) -> int | None:
    """Return for how many milliseconds the reply was being shown before it was complete."""
    if turn.first_word_ms is None or turn.total_ms is None:
        return None
    return max(0, turn.total_ms - turn.first_word_ms)


PARADATA = Table(
    "paradata",
    "One row an answer or skip: how it came about, and whether it looks hurried. The measures of "
    "the page are empty where it had no script, where a program answered without them, and where "
    "the bot keeps none; the keys that were pressed are never recorded.",
    columns_of(ParadataRow),
    rows,
)
