"""The chosen interviews in batches, and what is said of an interview in every table."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter
from typing import Any, Protocol, TypeVar

from django.db.models import QuerySet

from interviews.exports.columns import Column, Type
from interviews.exports.planned import PlannedQuestion, planned_questions
from interviews.exports.pseudonyms import pseudonym
from interviews.models import Session
from interviews.store import plan_content
from interviews.words import Status

BATCH = 100  # sessions whose rows are asked for at once
FIELDS = (
    "plan_id",
    "participant_id",
    "invitation__reference",
    "language",
    "status",
    "progress",
    "params",
    "preview",
    "synthetic",
    "flagged",
    "started_at",
    "ended_at",
    "away_total",
    "reward",
    "rating__heard",
    "rating__ease",
    "language_by",
    "consent__at",
    "consent__text__digest",
    "bot__slug",
    "plan__number",
    "plan__signature",
    "plan__protocol",
)
STATUSES = {str(status.value): str(status.label) for status in Status}


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """What is known of one interview without its content."""

    session: Session
    session_id: str
    bot: str
    plan_version: int
    participant: str
    language: str
    status: str
    preview: bool
    synthetic: bool

    @property
    def questions(self) -> tuple[PlannedQuestion, ...]:
        """The questions that its plan names beforehand, in their order."""
        return planned_questions(self.session.plan_id, self.language)


class OfSession(Protocol):
    """A row of any table."""

    @property
    def session(self) -> Facts: ...


class Keyed(Protocol):
    """A row before it is told whose it is."""

    @property
    def session_id(self) -> Any: ...


R = TypeVar("R", bound=OfSession)
K = TypeVar("K", bound=Keyed)


def batches(sessions: QuerySet[Session]) -> Iterator[list[Facts]]:
    """The sessions in their order, some at a time."""
    chosen = (
        sessions.select_related("bot", "plan", "rating", "invitation", "consent__text")
        .only(*FIELDS)
        .iterator(chunk_size=BATCH)
    )
    while batch := [_facts(session) for session in islice(chosen, BATCH)]:
        yield batch


def _facts(session: Session) -> Facts:
    return Facts(
        session=session,
        session_id=str(session.pk),
        bot=session.bot.slug if session.bot else plan_content(session.plan_id).bot,
        plan_version=session.plan.number,
        participant=pseudonym(session.participant_id),
        language=session.language,
        status=session.status,
        preview=session.preview,
        synthetic=session.synthetic,
    )


def keys(batch: Sequence[Facts]) -> list[Any]:
    """The primary keys of a batch."""
    return [facts.session.pk for facts in batch]


def by_session(batch: Iterable[Facts], rows: Iterable[K]) -> Iterator[tuple[Facts, list[K]]]:
    """Each session of the batch with its rows, which come in the same order of sessions."""
    groups = groupby(rows, key=attrgetter("session_id"))
    pending = next(groups, None)
    for facts in batch:
        if pending is not None and pending[0] == facts.session.pk:
            yield facts, list(pending[1])
            pending = next(groups, None)
        else:
            yield facts, []


def _fact(name: str) -> Callable[[OfSession], Any]:
    return attrgetter(f"session.{name}")


def session_columns() -> tuple[Column[Any], ...]:
    """The columns with which every table begins."""
    return (
        Column("bot", Type.STRING, "Address (slug) of the bot that led it.", _fact("bot")),
        Column(
            "plan_version",
            Type.INTEGER,
            "Version of the bot's plan that the interview ran on, from 1. A changed bot makes a "
            "new version for later interviews.",
            _fact("plan_version"),
        ),
        Column("session_id", Type.STRING, "The interview's id (UUID).", _fact("session_id")),
        Column(
            "participant",
            Type.STRING,
            "Pseudonym of the participant, the same in all exports of this site. Empty once the "
            "participant has withdrawn.",
            _fact("participant"),
        ),
        Column(
            "language",
            Type.STRING,
            "Tag of the language that the interview was held in, such as en or pt-BR.",
            _fact("language"),
        ),
        Column("status", Type.STRING, "Where the interview stands.", _fact("status"), STATUSES),
        Column(
            "preview",
            Type.BOOLEAN,
            "Tried out by the people who run the study, not a participant's.",
            _fact("preview"),
        ),
        Column(
            "synthetic",
            Type.BOOLEAN,
            "Answered by a program, not by a person.",
            _fact("synthetic"),
        ),
    )


SHARED = len(session_columns())
