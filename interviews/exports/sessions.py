"""The selected interviews in batches, and the columns with which every table begins."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from itertools import groupby, islice
from operator import itemgetter
from typing import Annotated, Any, NamedTuple, TypeVar

from django.db.models import QuerySet

from interviews.choices import SessionStatus
from interviews.exports.planned import PlannedQuestion, planned_questions
from interviews.exports.pseudonyms import pseudonym
from interviews.models import Assignment, Session
from interviews.turns.store import plan_content

BATCH = 100  # sessions
FIELDS = (
    *("plan_id", "participant_id", "invitation__reference", "language", "status", "progress"),
    *("params", "start_answers", "preview", "synthetic", "flagged", "started_at", "ended_at"),
    *(
        "away_total",
        "away_seconds",
        "reward",
        "cell",
        "rating__heard",
        "rating__ease",
        "language_source",
        "consent__at",
    ),
    *("consent__text__digest", "bot__slug", "plan__number", "plan__signature", "plan__protocol"),
    *("bot__link_params", "assignment__arm__name", "assignment__arm__experiment__slug"),
)
RELATED = (*("bot", "plan", "rating", "invitation", "consent__text"), "assignment__arm__experiment")
R = TypeVar("R", bound=tuple[Any, ...])
# is told how many interviews of a table were read
on_batch: ContextVar[Callable[[int], None]] = ContextVar("on_batch", default=lambda _count: None)


class ExportedSession(NamedTuple):
    """An interview without its content: the columns with which every table begins."""

    session: Session
    bot: Annotated[str, "Address (slug) of the bot that led it."]
    plan_version: Annotated[
        int,
        "Version of the bot's plan that the interview ran on, from 1. A changed bot makes a new "
        "version for later interviews.",
    ]
    session_id: Annotated[str, "The interview's id (UUID)."]
    participant: Annotated[
        str,
        "Pseudonym of the participant, the same in all exports of this site. Empty once the "
        "participant has withdrawn.",
    ]
    language: Annotated[
        str, "Tag of the language that the interview was held in, such as en or pt-BR."
    ]
    status: Annotated[str, "Where the interview stands.", dict(SessionStatus.choices)]
    preview: Annotated[bool, "Tried out by the people who run the study, not a participant's."]
    synthetic: Annotated[bool, "Answered by a program, not by a person."]
    experiment: Annotated[
        str | None, "Address (slug) of the experiment that sent the participant to this bot."
    ] = None
    arm: Annotated[str | None, "Name of the experiment's arm; empty outside experiments."] = None

    @property
    def questions(self) -> tuple[PlannedQuestion, ...]:
        return planned_questions(self.session.plan_id, self.language)

    @property
    def questions_in_first_language(self) -> tuple[PlannedQuestion, ...]:
        """Return the same in the plan's first language, by which all interviews are compared."""
        return planned_questions(self.session.plan_id, "")


def batches(sessions: QuerySet[Session]) -> Iterator[list[ExportedSession]]:
    rows = sessions.select_related(*RELATED).only(*FIELDS).iterator(chunk_size=BATCH)
    while batch := [_exported_session(session) for session in islice(rows, BATCH)]:
        yield batch
        on_batch.get()(len(batch))


def _exported_session(session: Session) -> ExportedSession:
    assignment: Assignment | None = getattr(session, "assignment", None)
    return ExportedSession(
        session=session,
        session_id=str(session.pk),
        bot=session.bot.slug if session.bot else plan_content(session.plan_id).bot,
        plan_version=session.plan.number,
        participant=pseudonym(session.participant_id),
        language=session.language,
        status=session.status,
        preview=session.preview,
        synthetic=session.synthetic,
        experiment=assignment.arm.experiment.slug if assignment else None,
        arm=assignment.arm.name if assignment else None,
    )


def keys(batch: Sequence[ExportedSession]) -> list[Any]:
    return [one.session.pk for one in batch]


def by_session(
    batch: Iterable[ExportedSession], rows: Iterable[R]
) -> Iterator[tuple[ExportedSession, list[R]]]:
    """Yield each session of the batch with its rows, which come in the same order.

    A row is a tuple that begins with the key of its session.
    """
    groups = groupby(rows, key=itemgetter(0))
    pending = next(groups, None)
    for one in batch:
        if pending is not None and pending[0] == one.session.pk:
            yield one, list(pending[1])
            pending = next(groups, None)
        else:
            yield one, []
