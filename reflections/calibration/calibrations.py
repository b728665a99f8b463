"""Calibration rows: requested by a person, measured in the background, stored once."""

import asyncio
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from interviews.choices import ENDED
from interviews.exports.planned import planned_questions
from interviews.models import Session
from llm.costs.budgets import blocked_reason
from plans.bots.budgets import wait_for_budget
from plans.jobs import ANEW, AT_ONCE, UNDER_WAY, Cancelled, Job, JobType, celery_task
from plans.models import Bot
from reflections.calibration import by_holdout, by_questionnaire
from reflections.calibration.baselines import other_answers, other_options
from reflections.calibration.by_questionnaire import most_frequent, portions
from reflections.calibration.holdout import (
    AnsweredQuestion,
    TooFew,
    answered_questions,
    choose_questions,
)
from reflections.calibration.llm_calls import ModelCaller
from reflections.calibration.types import (
    HeldOutOptions,
    HeldOutResult,
    Mean,
    QuestionnaireOptions,
    QuestionnaireResult,
)
from reflections.evidence.material import call_context_for, transcript_of
from reflections.models import Calibration, Expert

TASK = "reflections.tasks.make_calibration"
Options = HeldOutOptions | QuestionnaireOptions
Method = Calibration.Method
TYPES: dict[str, tuple[type[Options], type[HeldOutResult | QuestionnaireResult]]] = {
    Method.HELD_OUT: (HeldOutOptions, HeldOutResult),
    Method.QUESTIONNAIRE: (QuestionnaireOptions, QuestionnaireResult),
}
CALLS_A_QUESTION = 6  # two answers, a typical one, and a judgement of each
MOST_SECONDS = 780.0  # for all calls; a task may run a little longer


class NotEnded(ValueError):
    """The interview has not ended, or was withdrawn."""


@dataclass(frozen=True)
class Forecast:
    calls: int  # to models, if none has to be repeated
    held: tuple[AnsweredQuestion, ...] = ()
    answered: int = 0  # questions that could be held out


def may_be_calibrated(session: Session) -> bool:
    return session.status in ENDED


def request(session: Session, options: Options, by: str) -> tuple[Calibration, bool]:
    """Return the calibration requested, and whether it is new.

    One with the same options that is still under way is returned instead. Raises NotEnded.
    """
    with transaction.atomic():
        locked = Session.objects.select_for_update().get(pk=session.pk)
        if not may_be_calibrated(locked):
            raise NotEnded("Only interviews that have ended can be calibrated.")
        stored = options.model_dump(mode="json")
        held = isinstance(options, HeldOutOptions)
        method = Method.HELD_OUT if held else Method.QUESTIONNAIRE
        for row in locked.calibrations.filter(method=method, status__in=UNDER_WAY):
            if row.options == stored:
                return row, False
        row = locked.calibrations.create(method=method, options=stored, created_by=by)
        _job_type.enqueue_on_commit(row.pk)
        return row, True


def lacking(bot: Bot) -> QuerySet[Session]:
    """Return the bot's finished interviews in which no question was ever held out."""
    made = Calibration.objects.filter(session=OuterRef("pk"), method=Method.HELD_OUT)
    sessions = Session.objects.filter(bot=bot, status__in=ENDED, synthetic=False, preview=False)
    return sessions.filter(~Exists(made)).order_by("pk")


def forecast_all(bot: Bot) -> tuple[int, int]:
    """Return how many interviews lack a calibration, and about how many calls that takes.

    As many are taken for each as for the latest; 0 if that has too few answers.
    """
    sessions = lacking(bot)
    latest, calls = sessions.order_by("-started_at").first(), 0
    with suppress(TooFew):
        if latest is not None:
            calls = 1 + len(expert_readers()) + CALLS_A_QUESTION * len(_held_out(latest))
    count = sessions.count()
    return count, count * calls


@transaction.atomic
def request_all(bot: Bot, by: str) -> int:
    """Request a calibration of every interview that lacks one; return how many."""
    Bot.objects.select_for_update().get(pk=bot.pk)  # or two people would request each twice
    stored = HeldOutOptions().model_dump(mode="json")
    locked = list(lacking(bot).select_for_update(no_key=True).only("pk"))
    rows = Calibration.objects.bulk_create(
        Calibration(session=one, method=Method.HELD_OUT, options=stored, created_by=by)
        for one in locked
    )
    for row in rows[:AT_ONCE]:  # the sweeper enqueues the others
        _job_type.enqueue_on_commit(row.pk)
    return len(rows)


def request_wanted(session: Session) -> None:
    """Request the calibration that the bot wants of each interview, if there can be one."""
    bot = session.bot
    if bot is None or not bot.calibrates_replicas or not lacking(bot).filter(pk=session.pk):
        return
    with suppress(TooFew):
        _held_out(session)
        request(session, HeldOutOptions(), by="")


def _held_out(session: Session) -> tuple[AnsweredQuestion, ...]:
    questions = answered_questions(transcript_of(session), script_of(session))
    return choose_questions(questions, HeldOutOptions())


def retry(row: Calibration) -> bool:
    """Enqueue a failed calibration again; return whether it had failed.

    Call it in a transaction.
    """
    failed = Calibration.objects.filter(pk=row.pk, status=Job.Status.FAILED)
    if not failed.update(**ANEW):
        return False
    _job_type.enqueue_on_commit(row.pk)
    return True


def options_of(row: Calibration) -> Options:
    return TYPES[row.method][0].model_validate(row.options)


def result_of(row: Calibration) -> HeldOutResult | QuestionnaireResult | None:
    return TYPES[row.method][1].model_validate(row.content) if row.content else None


def headline_of(row: Calibration) -> Mean | None:
    name = "agreement" if row.method == Method.HELD_OUT else "accuracy"
    return Mean.model_validate(row.content[name]["replica"]) if row.content else None


def script_of(session: Session) -> dict[str, str]:
    """Return the texts of the questions by key, without keys that several of them share."""
    planned = planned_questions(session.plan_id, session.language)
    times = Counter(one.key for one in planned)
    return {one.key: one.text for one in planned if times[one.key] == 1}


def forecast(session: Session, options: Options) -> Forecast:
    """Return what a calibration would do, without calling a model. Raises holdout.TooFew."""
    calls = 1 + len(expert_readers())  # notes, and each expert
    if isinstance(options, QuestionnaireOptions):
        return Forecast(calls + _calls_for_items(session, options))
    questions = answered_questions(transcript_of(session), script_of(session))
    held = choose_questions(questions, options)
    others = other_answers(session, {one.key: one.text for one in held})
    answers = sum(2 + (len(others[one.key]) < by_holdout.ENOUGH_OTHERS) for one in held)
    return Forecast(calls + answers + 3 * len(held), held, len(questions))


def _calls_for_items(session: Session, options: QuestionnaireOptions) -> int:
    others = other_options(session, options.items)
    unknown = [one for one in options.items if not most_frequent(one, others.get(one.key, ()))]
    return 2 * len(portions(options.items)) + len(portions(unknown))


def expert_readers() -> tuple[Expert, ...]:
    return tuple(Expert.objects.filter(active=True))


def _make_content(row: Calibration) -> dict[str, Any]:
    session = row.session
    if not may_be_calibrated(session):
        raise Cancelled
    wait_for_budget(session.bot)
    context = replace(call_context_for(session), deadline=time.monotonic() + MOST_SECONDS)
    result = asyncio.run(_measurement(session, options_of(row), ModelCaller(context)))
    return {"content": result.model_dump(mode="json")}


def _measurement(session: Session, options: Options, caller: ModelCaller) -> Any:
    """Return the coroutine that measures. All rows are read before it starts."""
    transcript, readers = transcript_of(session), expert_readers()
    if isinstance(options, QuestionnaireOptions):
        chosen = other_options(session, options.items)
        return by_questionnaire.measure(transcript, readers, options, chosen, caller)
    script = script_of(session)
    others = other_answers(session, script)
    return by_holdout.measure(transcript, script, readers, options, others, caller)


def _require_session(row: Calibration) -> None:
    """Raise Cancelled if the interview was withdrawn while it was measured."""
    session = Session.objects.filter(pk=row.session_id, status__in=ENDED).order_by("pk")
    if session.select_for_update(no_key=True).values_list("pk").first() is None:
        raise Cancelled


_job_type = JobType(
    Calibration, _make_content, celery_task(TASK), blocked_reason, after=_require_session
)
make, sweep = _job_type.run, _job_type.sweep
