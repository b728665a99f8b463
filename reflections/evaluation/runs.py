"""Evaluations as background jobs: a row for each interview, and figures once all are over.

request -> (each interview: simulate, measure) -> report
"""

import asyncio
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet

from interviews.models import Session
from interviews.turns.deletion import delete_sessions
from interviews.turns.store import plan_content
from interviews.validation import RequestRefused
from llm.routing.routes import NO_MODEL, has_model, routes
from llm.tasks.call_context import CallContext
from llm.tasks.task import all_tasks
from llm.tasks.templates import load as load_template
from plans.bots.budgets import call_context, wait_for_budget
from plans.bots.compile import NotReady, plan_for
from plans.jobs import (
    AT_ONCE,
    UNDER_WAY,
    Cancelled,
    Job,
    JobFailed,
    JobType,
    PermanentFailure,
    celery_task,
)
from plans.models import Bot
from reflections.evaluation.figures import report
from reflections.evaluation.llm_tasks import RespondentByModel, judge, numbered
from reflections.evaluation.measurement import Measured, measure
from reflections.evaluation.personas import Persona, load
from reflections.evaluation.respondents import Respondent, RespondentByRules, chosen
from reflections.evaluation.simulation import NoReply, simulate
from reflections.evidence.material import call_context_for
from reflections.models import Evaluation, SimulatedInterview

TASK = "reflections.tasks.simulate_interview"
LOOKS_AGAIN = 0.5  # seconds
Respondents = Evaluation.Respondents


class CannotEvaluate(ValueError):
    """The bot isn't ready, nobody speaks its languages, or the name is taken."""


# -- requests


@dataclass(frozen=True)
class EvaluationPlan:
    respondents: str = "rules"
    count: int = 20
    seed: int = 1
    judged: bool = False


@transaction.atomic
def request(
    bot: Bot, name: str, plan: EvaluationPlan = EvaluationPlan(), by: str = ""
) -> Evaluation:
    """Request interviews of a bot with simulated participants. Raises CannotEvaluate."""
    Bot.objects.select_for_update().get(pk=bot.pk)
    if Evaluation.objects.filter(bot=bot, name=name).exists():
        raise CannotEvaluate(f"{bot} already has an evaluation called “{name}”.")
    if (plan.judged or plan.respondents == Respondents.MODEL) and not has_model():
        raise CannotEvaluate(NO_MODEL)
    if plan.count < 1:
        raise CannotEvaluate("An evaluation takes at least one participant.")
    personas = personas_for(bot)[: plan.count]
    evaluation = Evaluation(
        bot=bot,
        name=name,
        respondents=plan.respondents,
        seed=plan.seed,
        judged=plan.judged,
        versions=versions(bot),
        created_by=by,
    )
    try:
        evaluation.clean_fields(exclude={"figures"})
    except ValidationError as error:
        wrong = (f"{name}: {' '.join(why)}" for name, why in error.message_dict.items())
        raise CannotEvaluate("; ".join(wrong)) from error
    evaluation.save()
    rows = SimulatedInterview.objects.bulk_create(
        SimulatedInterview(evaluation=evaluation, persona=one.key) for one in personas
    )
    for row in rows[:AT_ONCE]:  # the sweeper enqueues the others
        _job_type.enqueue_on_commit(row.pk)
    return evaluation


def personas_for(bot: Bot) -> list[Persona]:
    """Return who can take part, those held back last. Raises CannotEvaluate."""
    try:
        languages = plan_content(plan_for(bot).pk).languages
    except NotReady as error:
        raise CannotEvaluate(f"{bot} isn’t ready: {error}") from error
    found = list(chosen(load(bot.protocol), languages))
    if not found:
        raise CannotEvaluate(f"No simulated participant speaks a language of {bot}.")
    return found


def free_name(bot: str) -> str:
    """Return the next name for a pilot of the bot at this address."""
    taken = {*Evaluation.objects.filter(bot__slug=bot).values_list("name", flat=True)}
    return next(name for number in count(1) if (name := f"Pilot {number}") not in taken)


@transaction.atomic
def cancel(evaluation: Evaluation) -> int:
    """Drop the interviews that wait; what is over, or under way, is kept and counted."""
    waiting = evaluation.interviews.filter(status=Job.Status.PENDING)
    count, _ = waiting.filter(Q(session=None)).delete()
    _finish(evaluation.pk)
    return count


@transaction.atomic
def delete(evaluation: Evaluation) -> None:
    """Delete an evaluation with its interviews."""
    keys = list(evaluation.interviews.values_list("session", flat=True))
    evaluation.delete()
    delete_sessions(Session.objects.filter(pk__in=[key for key in keys if key]))


# -- what was evaluated


def versions(bot: Bot) -> dict[str, Any]:
    plan = plan_for(bot)
    context = CallContext(models=plan_content(plan.pk).models)
    found = {task: next(iter(routes(task, context)), None) for task in all_tasks()}
    models = {f"{route.name}:{route.model}" for route in found.values() if route}
    return {
        "code": code_version(),
        "plan": plan.signature,
        "models": sorted(models),
        "prompts": {task.name: load_template(task.template).version for task in all_tasks()},
    }


@cache
def code_version() -> str:
    """Return what git calls the code, or the version of an installed package."""
    command = ["git", "-C", str(settings.BASE_DIR), "describe", "--always", "--dirty", "--tags"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)  # noqa: S603
        return done.stdout.strip()
    except (OSError, subprocess.SubprocessError):
        pass
    try:
        return version("interviewsite")
    except PackageNotFoundError:
        return "unknown"


# -- the job


def _make_content(row: SimulatedInterview) -> dict[str, Any]:
    evaluation, bot = row.evaluation, row.evaluation.bot
    personas = personas_for(bot) if bot else []
    persona = next((one for one in personas if one.key == row.persona), None)
    if bot is None or persona is None:
        raise Cancelled
    wait_for_budget(bot)
    delete_sessions(Session.objects.filter(simulated=row))  # of an attempt that failed
    led = simulate(bot.slug, _respondent(evaluation, persona, bot), partial(_link, row.pk))
    try:
        turns = asyncio.run(led)
    except RequestRefused as error:
        raise PermanentFailure(str(error)) from error
    except NoReply as error:
        raise JobFailed(str(error)) from error
    session = Session.objects.select_related("plan", "bot").get(simulated=row)
    measured = measure(session, persona, turns)
    measured = _judged(session, measured) if evaluation.judged else measured
    return {"content": measured.model_dump(mode="json")}


def _link(row: int, session: UUID) -> None:
    SimulatedInterview.objects.filter(pk=row).update(session=session)


def _respondent(evaluation: Evaluation, persona: Persona, bot: Bot) -> Respondent:
    if evaluation.respondents == Respondents.RULES:
        return RespondentByRules(persona, evaluation.seed)
    return RespondentByModel(persona, call_context(bot))


def _judged(session: Session, measured: Measured) -> Measured:
    topics, context = [one.label for one in measured.topics], call_context_for(session)
    answered = {turn for turn, _ in measured.acts}
    counts = asyncio.run(judge(session, numbered(session), answered, topics, context))
    return measured.model_copy(update={"counts": {**measured.counts, **counts}})


def _follow(row: SimulatedInterview) -> None:
    _finish(row.evaluation_id)


def _finish(pk: int) -> None:
    """Store the figures if no interview is left."""
    evaluation = Evaluation.objects.select_for_update().filter(pk=pk).first()
    if evaluation is None or evaluation.interviews.filter(status__in=UNDER_WAY).exists():
        return
    over = evaluation.interviews.filter(status=Job.Status.READY)
    personas = load(evaluation.bot.protocol) if evaluation.bot else []
    evaluation.figures = report(evaluation, over, personas)
    evaluation.save(update_fields=["figures"])


_job_type = JobType(
    SimulatedInterview, _make_content, celery_task(TASK), after=_follow, given_up=_follow
)
make, sweep = _job_type.run, _job_type.sweep


def work_through(evaluation: Evaluation, told: Callable[[int, int], None]) -> None:
    """Lead all interviews in this process, and wait for those that others lead.

    What nobody can lead now, such as without a budget, is left waiting.
    """
    rows: QuerySet[SimulatedInterview] = evaluation.interviews.order_by("pk")
    before = 0
    while True:
        for pk in list(rows.filter(status=Job.Status.PENDING).values_list("pk", flat=True)):
            make(pk)
            before = _progress(rows, before, told)
        before = _progress(rows, before, told)
        if not rows.filter(status=Job.Status.RUNNING).exists():
            break
        time.sleep(LOOKS_AGAIN)
    evaluation.refresh_from_db()


def _progress(
    rows: QuerySet[SimulatedInterview], before: int, told: Callable[[int, int], None]
) -> int:
    over = rows.exclude(status__in=UNDER_WAY).count()
    if over != before:
        told(over, rows.count())
    return over
