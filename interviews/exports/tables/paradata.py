from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple
from uuid import UUID

from interviews.choices import BESIDE_THE_STUDY, EntryKind, SpeakerRole
from interviews.exports.columns import Table, columns_of
from interviews.exports.database_cursor import iterate_rows
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches, by_session, keys
from interviews.exports.utterances import CHUNK, IN_ORDER, OpenQuestionTracker
from interviews.measures.effort import efforts_of
from interviews.measures.response_quality import HURRIED, Sign
from interviews.models import TranscriptEntry, Turn
from plans.text import word_count

DONE = Turn.Status.DONE
PARTICIPANT = str(SpeakerRole.PARTICIPANT)
SIGNS = "; ".join(f"{sign}: {sign.label}" for sign in Sign)
ANSWER_KINDS = (
    *(EntryKind.USER_ANSWER, EntryKind.CANDIDATE_QUESTION, EntryKind.SKIP),
    *(EntryKind.OFFER_REPLY, EntryKind.CONSENT_REPLY, EntryKind.DATA_REPLY),
    *(EntryKind.STOP_REPLY, EntryKind.CARE_REPLY),
)


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
        "How much speaks for haste, by rules, from 0 (nothing) to 1. Rated once, with the reply, "
        "by these measures and what was said before; nobody was treated by it. Empty for skips, "
        "refusals, words about stopping, and what was given in confidence.",
    ]
    looks_hurried: Annotated[
        bool | None,
        f"The score is {HURRIED} or more: worth reading again, and no proof of anything.",
    ]
    effort_signs: Annotated[
        str | None, f"What speaks for haste, the weightiest first, with spaces between. {SIGNS}."
    ]


class ParadataLine(NamedTuple):
    """An utterance, and if it is an answer, its rating and measures."""

    session_id: UUID
    position: int
    role: str
    kind: str
    text: str
    question: str
    number: int | None
    turn: int
    effort_score: float | None
    effort_signs: str | None
    measures: tuple[Any, ...]


OF_TURN = ("turn__number", "turn__effort_score", "turn__effort_signs")
FIELDS = (*ParadataLine._fields[:7], *OF_TURN, *(f"paradata__{name}" for name in Measures._fields))
MEASURED_FROM = 7 + len(OF_TURN)


def rows(selection: Selection) -> Iterator[ParadataRow]:
    for batch in batches(selection.with_content()):
        said = TranscriptEntry.objects.filter(session__in=keys(batch), turn__status=DONE)
        stored = iterate_rows(said.order_by(*IN_ORDER, "position").values_list(*FIELDS), CHUNK)
        for session, lines in by_session(batch, map(_line, stored)):
            yield from _rows_of_session(session, lines)


def _line(row: tuple[Any, ...]) -> ParadataLine:
    return ParadataLine._make((*row[:MEASURED_FROM], row[MEASURED_FROM:]))


def _rows_of_session(session: ExportedSession, lines: list[ParadataLine]) -> Iterator[ParadataRow]:
    is_old = any(one.role == PARTICIPANT and one.effort_signs is None for one in lines)
    made = efforts_of([session.session.pk]).get(session.session.pk, {}) if is_old else {}
    tracker = OpenQuestionTracker()
    for one in lines:
        tracker.update(one.role, one.kind, one.question, one.number)
        if one.role == PARTICIPANT:
            beside = one.kind in BESIDE_THE_STUDY
            effort = made.get(one.position)
            score, signs = one.effort_score, one.effort_signs
            if is_old:
                score, signs = (effort.score, " ".join(effort.signs)) if effort else (None, None)
            yield ParadataRow(  # positional: keywords are slower
                session,
                one.position,
                one.turn,
                "" if beside else tracker.question,
                None if beside else tracker.number,
                one.kind,
                word_count(one.text),
                Measures._make(one.measures),
                score,
                None if score is None else score >= HURRIED,
                signs or None,
            )


PARADATA = Table(
    "paradata",
    "One row an answer or skip: how it came about, and whether it looks hurried. The measures of "
    "the page are empty where it had no script, where a program answered without them, and where "
    "the bot keeps none; the keys that were pressed are never recorded.",
    columns_of(ParadataRow),
    rows,
)
