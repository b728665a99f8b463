from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from statistics import median
from typing import Annotated, NamedTuple

from interviews.choices import EntryKind
from interviews.exports.columns import Table, columns_of
from interviews.exports.formats.cells import json_cell
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches
from interviews.exports.utterances import (
    FinishedTurn,
    TranscriptUtterance,
    conversations,
    reasons_of,
    repeats,
)
from interviews.models import Session
from plans.models.eligibility import under_all_names
from plans.protocols import PROTOCOLS
from plans.text import word_count

QUESTIONS = (EntryKind.SCRIPTED_QUESTION, EntryKind.TOPIC_QUESTION, EntryKind.QUESTION)
REWARDS = {
    "fixed": "the code that everybody gets",
    "pool": "a code of their own",
    "redirect": "an address that confirms to a panel that they took part",
    "missing": "one was due, and there was none to give",
}

LANGUAGE_SOURCES = {
    "choice": "the participant chose it on the start page",
    "link": "the link named it",
    "browser": "the browser asked for it",
    "answers": "the answers were in it",
    "bot": "it is the bot's first",
}


class SessionTimes(NamedTuple):
    started_at: Annotated[datetime, "When it began."]
    ended_at: Annotated[datetime | None, "When it ended, however it did; empty while it runs."]
    last_utterance_at: Annotated[datetime | None, "When something was last said."]
    active_minutes: Annotated[
        float | None,
        "Minutes from the beginning to the last utterance, pauses left out. Silence that was not "
        "announced as a pause counts.",
    ]
    paused_seconds: Annotated[float, "Seconds in pauses that have ended."]


class SessionCounts(NamedTuple):
    turns: Annotated[int, "Finished turns of the participant: answers, skips and stops."]
    answers: Annotated[int, "Answers in words."]
    skips: Annotated[int, "Times a question was passed over, by the button or in words."]
    questions_asked: Annotated[
        int,
        "Different questions asked, without follow-ups and the closing question. In topic "
        "exploration: topics asked about.",
    ]
    follow_ups: Annotated[
        int, "Follow-ups asked. None in topic exploration: see the follow_ups of answers."
    ]
    participant_words: Annotated[int, "Words of all answers together."]
    median_answer_words: Annotated[float | None, "Median of the words of an answer."]


UNITS = {
    "questions": "of the script, or asked so far",
    "topics": "begun",
    "rounds": "questions with their follow-ups",
    "turns": "answers",
}


class SessionProgress(NamedTuple):
    progress_current: Annotated[int | None, "How far it came, in the unit of progress_unit."]
    progress_total: Annotated[int | None, "Out of how many; empty where that isn't known."]
    progress_unit: Annotated[str | None, "What is counted.", UNITS]


class TurnShares(NamedTuple):
    model_share: Annotated[
        float | None, "Share of turns worded by the model that was meant to, 0 to 1."
    ]
    fallback_model_share: Annotated[
        float | None, "Share of turns worded by the model that stands in for it, 0 to 1."
    ]
    fallback_share: Annotated[
        float | None,
        "Share of turns worded without a model, since none gave anything usable, 0 to 1.",
    ]
    rules_share: Annotated[
        float | None, "Share of turns for which no model's words were needed, 0 to 1."
    ]
    median_first_word_ms: Annotated[
        float | None, "Median of the milliseconds until the interviewer's first word was shown."
    ]


class LinkParameters(NamedTuple):
    prolific_pid: Annotated[
        str | None, "Parameter PROLIFIC_PID of the link that the participant came by."
    ]
    study_id: Annotated[str | None, "Parameter STUDY_ID of that link."]
    panel_session_id: Annotated[
        str | None, "Parameter SESSION_ID of that link; not the interview's own id."
    ]
    params: Annotated[str, "All parameters of that link, as JSON."]


class SessionRow(NamedTuple):
    session: ExportedSession
    plan_signature: Annotated[
        str, "SHA-256 of the plan's content: equal signatures mean equal interviews."
    ]
    protocol: Annotated[
        str,
        "How the interview is led.",
        {name: str(protocol.title) for name, protocol in PROTOCOLS.items()},
    ]
    flagged: Annotated[bool, "Signs of distress were seen."]
    times: SessionTimes
    counts: SessionCounts
    progress: SessionProgress
    shares: TurnShares
    link: LinkParameters
    language_by: Annotated[
        str, "How the language was found; empty where a program named it.", LANGUAGE_SOURCES
    ]
    consent_version: Annotated[
        str | None,
        "Version of the words that the participant agreed to; the table consents holds the words. "
        "Empty: asked elsewhere, or not at all.",
    ]
    consented_at: Annotated[datetime | None, "When they agreed."]
    invitation: Annotated[
        str | None, "Id (UUID) of the personal invitation that it came by; empty for others."
    ]
    reference: Annotated[str | None, "The number that the invited person has in your own records."]
    reward: Annotated[
        str | None,
        "What the participant was given at the end; empty where nothing was due. Codes and "
        "addresses are in no export.",
        REWARDS,
    ]
    reward_for: Annotated[
        str | None,
        "How the interview had ended for which it was given.",
        {"completed": "it went through to the end", "stopped": "the participant ended it"},
    ]
    rating_heard: Annotated[
        int | None,
        "“Did you feel listened to?”, asked after the end, from 1 (not at all) to "
        "5 (very much). Empty: not answered, or not asked.",
    ]
    rating_ease: Annotated[
        int | None,
        "“Did you get to say what mattered?”, asked after the end, from 1 (not at all) to 5 "
        "(very much). Empty: not answered, or not asked.",
    ]
    cell: Annotated[str | None, "Name of the quota cell that it counted in; empty for none."]
    start_answers: Annotated[
        str | None,
        "What was written into the fields of the start page, or filled in by the link, as JSON; "
        "empty if nothing was.",
    ]


def rows(selection: Selection) -> Iterator[SessionRow]:
    for batch in batches(selection.queryset()):
        for session, said, turns in conversations(batch):
            yield _row(session, said, turns)


def _row(
    exported: ExportedSession, said: list[TranscriptUtterance], turns: list[FinishedTurn]
) -> SessionRow:
    session = exported.session
    answered = [turn for turn in turns if turn.number]  # the opening is fixed words
    consent, rating = getattr(session, "consent", None), getattr(session, "rating", None)
    return SessionRow(
        exported,
        plan_signature=session.plan.signature,
        protocol=session.plan.protocol,
        flagged=session.flagged,
        times=_times(session, said[-1].at if said else None),
        counts=_counts(said, turns),
        progress=SessionProgress(*map(session.progress.get, ("current", "total", "unit"))),
        shares=_shares(answered),
        link=_link(session),
        language_by=session.language_source,
        consent_version=consent.text.version if consent else None,
        consented_at=consent.at if consent else None,
        invitation=str(session.invitation_id) if session.invitation_id else None,
        reference=session.invitation.reference or None if session.invitation else None,
        reward=session.reward.get("kind"),
        reward_for=session.status.lower() if session.reward else None,
        rating_heard=rating.heard if rating else None,
        rating_ease=rating.ease if rating else None,
        cell=session.cell or None,
        start_answers=json_cell(session.start_answers) if session.start_answers else None,
    )


def _times(session: Session, last_at: datetime | None) -> SessionTimes:
    active = None if last_at is None else round(session.minutes_until(last_at), 2)
    paused = round(session.away_total, 1)
    return SessionTimes(session.started_at, session.ended_at, last_at, active, paused)


def _counts(said: list[TranscriptUtterance], turns: list[FinishedTurn]) -> SessionCounts:
    reasons = reasons_of(turns)
    kinds = Counter(one.kind for one in said)
    answers = [word_count(one.text) for one in said if one.kind == EntryKind.USER_ANSWER]
    asked = {one.number or one.question for one in said if one.kind in QUESTIONS and one.question}
    new = (one for one in said if one.kind == EntryKind.FOLLOW_UP and not repeats(one, reasons))
    follow_ups = {(one.question, one.text) for one in new}
    return SessionCounts(
        turns=sum(turn.number > 0 for turn in turns),
        answers=len(answers),
        skips=kinds[EntryKind.SKIP],
        questions_asked=len(asked),
        follow_ups=len(follow_ups),
        participant_words=sum(answers),
        median_answer_words=_median(answers),
    )


def _shares(turns: list[FinishedTurn]) -> TurnShares:
    sources = Counter(turn.source for turn in turns)
    first_words = [turn.first_word_ms for turn in turns if turn.first_word_ms is not None]
    names = ("model", "fallback_model", "fallback", "rules")
    shares = (round(sources[name] / len(turns), 4) if turns else None for name in names)
    return TurnShares._make((*shares, _median(first_words)))


def _median(values: Sequence[int]) -> float | None:
    return float(median(values)) if values else None


def _link(session: Session) -> LinkParameters:
    """Return the panel's parameters, which the bot may know by names of its own."""
    named = under_all_names(session.bot, session.params)
    return LinkParameters(
        prolific_pid=named.get("PROLIFIC_PID"),
        study_id=named.get("STUDY_ID"),
        panel_session_id=named.get("SESSION_ID"),
        params=json_cell(session.params),
    )


SESSIONS = Table(
    "sessions",
    "One row an interview. Counts are of what finished turns have brought.",
    columns_of(SessionRow),
    rows,
)
