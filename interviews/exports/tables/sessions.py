"""The wide table: one row an interview."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from operator import attrgetter
from statistics import median
from typing import NamedTuple

from interviews.exports.columns import Column, Table, Type, Value
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, session_columns
from interviews.exports.utterances import TurnMade, Utterance, conversations, words
from interviews.models import Consent
from interviews.words import Kind

QUESTIONS = (Kind.SCRIPTED_QUESTION, Kind.TOPIC_QUESTION, Kind.QUESTION)
REWARDS = {
    "fixed": "the code that everybody gets",
    "pool": "a code of their own",
    "redirect": "an address that confirms to a panel that they took part",
    "missing": "one was due, and there was none to give",
}

LANGUAGE_BY = {
    "choice": "the participant chose it on the start page",
    "link": "the link named it",
    "browser": "the browser asked for it",
    "answers": "the answers were in it",
    "bot": "it is the bot's first",
}


class Interview(NamedTuple):
    """One interview in figures."""

    session: Facts
    kinds: Counter[str]
    asked: int
    answers: list[int]  # words of each
    last_at: datetime | None
    sources: Counter[str]
    first_words: list[int]
    turns: int

    @property
    def active_minutes(self) -> float | None:
        """From the beginning to the last utterance, without the pauses."""
        if self.last_at is None:
            return None
        session = self.session.session
        since: timedelta = self.last_at - session.started_at
        return round(max(0.0, since.total_seconds() - session.away_total) / 60, 2)

    def share(self, source: str) -> float | None:
        """Share of the turns that this source worded."""
        return round(self.sources[source] / self.turns, 4) if self.turns else None


def rows(chosen: Selection) -> Iterator[Interview]:
    """Every chosen interview, those that were withdrawn included, without anything in them."""
    for batch in batches(chosen.queryset()):
        for facts, said, turns in conversations(batch):
            yield _interview(facts, said, turns)


def _interview(facts: Facts, said: list[Utterance], turns: list[TurnMade]) -> Interview:
    answered = [turn for turn in turns if turn.number]  # the opening is fixed words
    return Interview(
        session=facts,
        kinds=Counter(one.kind for one in said),
        asked=len({one.number or one.question for one in said if _asks(one)}),
        answers=[words(one.text) for one in said if one.kind == Kind.USER_ANSWER],
        last_at=said[-1].at if said else None,
        sources=Counter(turn.source for turn in answered),
        first_words=[t.first_word_ms for t in answered if t.first_word_ms is not None],
        turns=len(answered),
    )


def _asks(said: Utterance) -> bool:
    return bool(said.kind in QUESTIONS and said.question)


def _count(kind: Kind) -> Callable[[Interview], Value]:
    return lambda row: row.kinds[kind]


def _progress(name: str) -> Callable[[Interview], Value]:
    return lambda row: row.session.session.progress.get(name)


def _param(name: str) -> Callable[[Interview], Value]:
    return lambda row: row.session.session.params.get(name)


def _params(row: Interview) -> str:
    return json.dumps(row.session.session.params, ensure_ascii=False, sort_keys=True)


def _reward_for(row: Interview) -> str | None:
    session = row.session.session
    return session.status.lower() if session.reward else None


def _rating(name: str) -> Callable[[Interview], Value]:
    """An answer; the relation raises an AttributeError where there is none."""
    return lambda row: getattr(getattr(row.session.session, "rating", None), name, None)


def _consent(row: Interview) -> Consent | None:
    return getattr(row.session.session, "consent", None)


def _consent_version(row: Interview) -> str | None:
    consent = _consent(row)
    return consent.text.version if consent else None


def _consented_at(row: Interview) -> datetime | None:
    consent = _consent(row)
    return consent.at if consent else None


def _invitation(row: Interview) -> str | None:
    key = row.session.session.invitation_id
    return str(key) if key else None


def _reference(row: Interview) -> str | None:
    invitation = row.session.session.invitation
    return invitation.reference or None if invitation else None


SESSIONS: Table[Interview] = Table(
    "sessions",
    "One row an interview. Counts are of what finished turns have brought.",
    (
        *session_columns(),
        Column(
            "plan_signature",
            Type.STRING,
            "SHA-256 of the plan's content: equal signatures mean equal interviews.",
            attrgetter("session.session.plan.signature"),
        ),
        Column(
            "protocol",
            Type.STRING,
            "How the interview is led.",
            attrgetter("session.session.plan.protocol"),
        ),
        Column(
            "flagged",
            Type.BOOLEAN,
            "Signs of distress were seen.",
            attrgetter("session.session.flagged"),
        ),
        Column(
            "started_at", Type.DATETIME, "When it began.", attrgetter("session.session.started_at")
        ),
        Column(
            "ended_at",
            Type.DATETIME,
            "When it ended, however it did; empty while it runs.",
            attrgetter("session.session.ended_at"),
        ),
        Column(
            "last_utterance_at",
            Type.DATETIME,
            "When something was last said.",
            attrgetter("last_at"),
        ),
        Column(
            "active_minutes",
            Type.NUMBER,
            "Minutes from the beginning to the last utterance, pauses left out. Silence that was "
            "not announced as a pause counts.",
            attrgetter("active_minutes"),
        ),
        Column(
            "paused_seconds",
            Type.NUMBER,
            "Seconds in pauses that have ended.",
            lambda row: round(row.session.session.away_total, 1),
        ),
        Column(
            "turns",
            Type.INTEGER,
            "Finished turns of the participant: answers, skips and stops.",
            attrgetter("turns"),
        ),
        Column("answers", Type.INTEGER, "Answers in words.", lambda row: len(row.answers)),
        Column("skips", Type.INTEGER, "Times the skip button was pressed.", _count(Kind.SKIP)),
        Column(
            "questions_asked",
            Type.INTEGER,
            "Different questions asked, follow-ups left out.",
            attrgetter("asked"),
        ),
        Column("follow_ups", Type.INTEGER, "Follow-ups asked.", _count(Kind.FOLLOW_UP)),
        Column(
            "participant_words",
            Type.INTEGER,
            "Words of all answers together.",
            lambda row: sum(row.answers),
        ),
        Column(
            "median_answer_words",
            Type.NUMBER,
            "Median of the words of an answer.",
            lambda row: float(median(row.answers)) if row.answers else None,
        ),
        Column(
            "progress_current",
            Type.INTEGER,
            "How far it came, in the unit of progress_unit.",
            _progress("current"),
        ),
        Column(
            "progress_total",
            Type.INTEGER,
            "Out of how many; empty where that isn't known.",
            _progress("total"),
        ),
        Column("progress_unit", Type.STRING, "What is counted.", _progress("unit")),
        Column(
            "model_share",
            Type.NUMBER,
            "Share of turns worded by the model that was meant to, 0 to 1.",
            lambda row: row.share("model"),
        ),
        Column(
            "fallback_model_share",
            Type.NUMBER,
            "Share of turns worded by the model that stands in for it, 0 to 1.",
            lambda row: row.share("fallback_model"),
        ),
        Column(
            "fallback_share",
            Type.NUMBER,
            "Share of turns worded without a model, since none gave anything usable, 0 to 1.",
            lambda row: row.share("fallback"),
        ),
        Column(
            "rules_share",
            Type.NUMBER,
            "Share of turns for which no model's words were needed, 0 to 1.",
            lambda row: row.share("rules"),
        ),
        Column(
            "median_first_word_ms",
            Type.NUMBER,
            "Median of the milliseconds until the interviewer's first word was shown.",
            lambda row: float(median(row.first_words)) if row.first_words else None,
        ),
        Column(
            "prolific_pid",
            Type.STRING,
            "Parameter PROLIFIC_PID of the link that the participant came by.",
            _param("PROLIFIC_PID"),
        ),
        Column("study_id", Type.STRING, "Parameter STUDY_ID of that link.", _param("STUDY_ID")),
        Column(
            "panel_session_id",
            Type.STRING,
            "Parameter SESSION_ID of that link; not the interview's own id.",
            _param("SESSION_ID"),
        ),
        Column("params", Type.STRING, "All parameters of that link, as JSON.", _params),
        Column(
            "language_by",
            Type.STRING,
            "How the language was found; empty where a program named it.",
            attrgetter("session.session.language_by"),
            LANGUAGE_BY,
        ),
        Column(
            "consent_version",
            Type.STRING,
            "Version of the words that the participant agreed to; the table consents holds the "
            "words. Empty: asked elsewhere, or not at all.",
            _consent_version,
        ),
        Column("consented_at", Type.DATETIME, "When they agreed.", _consented_at),
        Column(
            "invitation",
            Type.STRING,
            "Id (UUID) of the personal invitation that it came by; empty for others.",
            _invitation,
        ),
        Column(
            "reference",
            Type.STRING,
            "The number that the invited person has in your own records.",
            _reference,
        ),
        Column(
            "reward",
            Type.STRING,
            "What the participant was given at the end; empty where nothing was due. Codes and "
            "addresses are in no export.",
            lambda row: row.session.session.reward.get("kind"),
            REWARDS,
        ),
        Column(
            "reward_for",
            Type.STRING,
            "How the interview had ended for which it was given.",
            _reward_for,
            {"completed": "it went through to the end", "stopped": "the participant ended it"},
        ),
        Column(
            "rating_heard",
            Type.INTEGER,
            "“Did you feel that somebody was listening?”, asked after the end, from 1 (not at all) "
            "to 5 (very much). Empty: not answered, or not asked.",
            _rating("heard"),
        ),
        Column(
            "rating_ease",
            Type.INTEGER,
            "“Could you say what mattered to you?”, asked after the end, from 1 (not at all) to 5 "
            "(very much). Empty: not answered, or not asked.",
            _rating("ease"),
        ),
    ),
    rows,
    shared=SHARED,
)
