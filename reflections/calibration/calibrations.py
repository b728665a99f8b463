"""Calibrations of replicas: wished for by a person, made in the background, stored once.

What is measured is in the other modules of this package; here its rows come and go.
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.db import transaction

from interviews.choices import ENDED
from interviews.exports.planned import planned_questions
from interviews.models import Session
from llm.costs.budgets import blocked_reason
from llm.tasks.call_context import CallContext
from plans.bots.budgets import wait_for_budget
from plans.jobs import ANEW, UNDER_WAY, Cancelled, Job, JobType, celery_task
from reflections.calibration import by_holdout, by_questionnaire
from reflections.calibration.baselines import other_answers, other_options
from reflections.calibration.holdout import AnsweredQuestion, answered, chosen
from reflections.calibration.knowledge import ExpertReader
from reflections.calibration.llm_calls import ModelCaller
from reflections.calibration.types import (
    HeldOutOptions,
    HeldOutResult,
    Mean,
    QuestionnaireOptions,
    QuestionnaireResult,
)
from reflections.evidence.call_context import subject_of
from reflections.evidence.material import transcript_of
from reflections.jobs import delete_calls
from reflections.models import Calibration, Expert

TASK = "reflections.tasks.make_calibration"
Options = HeldOutOptions | QuestionnaireOptions
Method = Calibration.Method
MOST_SECONDS = 780.0  # for all calls; a task may run a little longer


class NotEnded(ValueError):
    """The interview isn't over yet, or was withdrawn."""


@dataclass(frozen=True)
class Forecast:
    """What a calibration would do."""

    calls: int  # to models, if none has to be repeated
    held: tuple[AnsweredQuestion, ...] = ()
    answered: int = 0  # questions that could be held out


def may_be_calibrated(session: Session) -> bool:
    """Whether the interview is over, with something in it to learn from."""
    return session.status in ENDED


def request(session: Session, options: Options, by: str) -> tuple[Calibration, bool]:
    """The calibration wished for, and whether it is new.

    The same one that is still under way is not begun a second time. Raises NotEnded.
    """
    with transaction.atomic():
        held = Session.objects.select_for_update().get(pk=session.pk)
        if not may_be_calibrated(held):
            raise NotEnded("Only interviews that have ended can be calibrated.")
        stored = options.model_dump(mode="json")
        wanted = {"session": held, "method": method_of(options), "options": stored}
        known = _under_way(wanted)
        if known:
            return known, False
        row = Calibration.objects.create(**wanted, created_by=by)
        transaction.on_commit(partial(enqueue, row.pk))
        return row, True


def _under_way(wanted: Mapping[str, Any]) -> Calibration | None:
    about = {"session": wanted["session"], "method": wanted["method"], "status__in": UNDER_WAY}
    same = (row for row in Calibration.objects.filter(**about) if row.options == wanted["options"])
    return next(same, None)


def try_again(row: Calibration) -> bool:
    """Begins one that failed once more; whether it had failed. To be called in a transaction."""
    failed = Calibration.objects.filter(pk=row.pk, status=Job.Status.FAILED)
    again = failed.update(**ANEW)
    if again:
        transaction.on_commit(partial(enqueue, row.pk))
    return bool(again)


def method_of(options: Options) -> Calibration.Method:
    """The method that these are the options of."""
    return Method.HELD_OUT if isinstance(options, HeldOutOptions) else Method.QUESTIONNAIRE


def options_of(row: Calibration) -> Options:
    if row.method == Method.HELD_OUT:
        return HeldOutOptions.model_validate(row.options)
    return QuestionnaireOptions.model_validate(row.options)


def measured_of(row: Calibration) -> HeldOutResult | QuestionnaireResult | None:
    """What was measured; None until it is."""
    if not row.content:
        return None
    if row.method == Method.HELD_OUT:
        return HeldOutResult.model_validate(row.content)
    return QuestionnaireResult.model_validate(row.content)


def headline_of(row: Calibration) -> Mean | None:
    """The figure of the replica that stands for all of it; None until it is measured."""
    name = "agreement" if row.method == Method.HELD_OUT else "accuracy"
    return Mean.model_validate(row.content[name]["replica"]) if row.content else None


def script_of(session: Session) -> dict[str, str]:
    """The plan's questions in its words, by their keys."""
    return {one.key: one.text for one in planned_questions(session.plan_id, session.language)}


def forecast(session: Session, options: Options) -> Forecast:
    """What it would do, before anybody is asked. Raises replica.holding.TooFew."""
    about = 1 + len(readers())  # notes, and each expert
    if isinstance(options, QuestionnaireOptions):
        return Forecast(about + _calls_for_items(session, options))
    questions = answered(transcript_of(session), script_of(session))
    held = chosen(questions, options)
    others = other_answers(session, {one.key: one.text for one in held})
    asked = sum(2 + (len(others[one.key]) < by_holdout.ENOUGH_OTHERS) for one in held)
    return Forecast(about + asked + 3 * len(held), held, len(questions))


def _calls_for_items(session: Session, options: QuestionnaireOptions) -> int:
    others = other_options(session, options.items)
    unknown = [
        item
        for item in options.items
        if not by_questionnaire.most_frequent(item, others.get(item.key, ()))
    ]
    return 2 * len(by_questionnaire.portions(options.items)) + len(
        by_questionnaire.portions(unknown)
    )


def readers() -> tuple[ExpertReader, ...]:
    """The experts who read for a replica."""
    fields = ("key", "name", "looks_for", "instructions")
    active = Expert.objects.filter(active=True).values(*fields)
    return tuple(ExpertReader.model_validate(one) for one in active)


def _made(row: Calibration) -> dict[str, Any]:
    """The fields of a finished row."""
    session = row.session
    if not may_be_calibrated(session):
        raise Cancelled
    wait_for_budget(session.bot)
    found = asyncio.run(_measured(session, options_of(row), ModelCaller(_subject(session))))
    return {"content": found.model_dump(mode="json")}


def _measured(session: Session, options: Options, asker: ModelCaller) -> Any:
    """What measures it, to be awaited. All rows are read before."""
    words = transcript_of(session)
    if isinstance(options, QuestionnaireOptions):
        others = other_options(session, options.items)
        return by_questionnaire.measured(words, readers(), options, others, asker)
    script = script_of(session)
    interview = by_holdout.HeldOutInterview(
        words, script, readers(), other_answers(session, script)
    )
    return by_holdout.measured(interview, options, asker)


def _subject(session: Session) -> CallContext:
    return replace(subject_of(session), deadline=time.monotonic() + MOST_SECONDS)


def _only_if_there(row: Calibration) -> None:
    """Raises Cancelled if the interview was withdrawn while it was measured."""
    there = Session.objects.filter(pk=row.session_id, status__in=ENDED).order_by("pk")
    if there.select_for_update(no_key=True).values_list("pk").first() is None:
        raise Cancelled


_job_type = JobType(
    Calibration,
    _made,
    celery_task(TASK),
    blocked_reason,
    after=_only_if_there,
    clean_up=delete_calls,
)
make = _job_type.run
sweep = _job_type.sweep
enqueue = _job_type.enqueue
