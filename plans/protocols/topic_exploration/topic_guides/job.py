import asyncio
from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from llm.costs.budgets import blocked_reason
from llm.gateway import ask
from plans.bots.budgets import call_context, wait_for_budget
from plans.jobs import ANEW, Cancelled, Job, JobFailed, JobType, celery_task
from plans.models import Bot, Intelligence, SubGoal
from plans.models.copies import clone
from plans.protocols.topic_exploration.content import current_signature
from plans.protocols.topic_exploration.topic_guides.task import (
    PREPARE,
    PrepareInput,
    drafted_questions,
    prepare_input,
    usable_lists,
)

TASK = "plans.tasks.make_intelligence"
QUESTIONS = "questions"  # drafts, in the guides until they are stored


def _make(row: Intelligence) -> dict[str, Any]:
    bot = row.bot
    if current_signature(bot) != row.signature:
        raise Cancelled
    wait_for_budget(bot)
    data = prepare_input(bot)
    outcome = asyncio.run(ask(PREPARE, data, call_context(bot)))
    content: dict[str, dict[str, Any]] = dict(
        usable_lists(outcome.value, {topic.key for topic in data.topics})
    )
    if not outcome.by_model or not content:
        raise JobFailed(outcome.reason or "The model's answer held nothing for any topic.")
    missing = _missing_topics(data, content)
    for key, questions in drafted_questions(outcome.value, data).items():
        content.setdefault(key, {})[QUESTIONS] = questions
    return {"content": content, "edited": False, "reason": missing, "updated_at": timezone.now()}


def _missing_topics(data: PrepareInput, content: dict[str, Any]) -> str:
    missing = [topic.label for topic in data.topics if topic.key not in content]
    return f"The model gave nothing for: {', '.join(missing)}." if missing else ""


def _store_questions(row: Intelligence) -> None:
    """Move the drafts from the guides to the sub-goals that have no question of their own."""
    drafts = {key: lists.pop(QUESTIONS, {}) for key, lists in row.content.items()}
    goals = SubGoal.objects.select_for_update().filter(topic__bot=row.bot_id, question="")
    for goal in goals.select_related("topic"):
        if question := drafts.get(goal.topic.key, {}).get(goal.text):
            goal.question = question
            goal.save(update_fields=["question"])
    row.content = {key: lists for key, lists in row.content.items() if lists}
    row.save(update_fields=["content"])


JOB = JobType(Intelligence, _make, celery_task(TASK), blocked_reason, after=_store_questions)


def request_guides(bot: Bot) -> Intelligence | None:
    """Return the guides for the bot as it is now, requesting them if there are none yet.

    Call it in the transaction that changes the bot. Returns None if there is nothing to prepare.
    """
    signature = current_signature(bot)
    if not signature:
        return None
    row, new = Intelligence.objects.get_or_create(bot=bot, signature=signature)
    if new:
        # No interview will ask for guides of the bot's earlier states.
        earlier = Intelligence.objects.filter(bot=bot, attempts=0, edited=False, content={})
        earlier.filter(status=Job.Status.PENDING).exclude(pk=row.pk).delete()
        JOB.enqueue_on_commit(row.pk)
    return row


def current_guides(bot: Bot) -> Intelligence | None:
    return Intelligence.objects.filter(bot=bot, signature=current_signature(bot)).first()


def duplicate_guides(bot: Bot, copy: Bot) -> None:
    row = current_guides(bot)
    if row and row.status == Job.Status.READY:
        clone(row, bot=copy)


def request_new_guides(row: Intelligence) -> None:
    Intelligence.objects.filter(pk=row.pk).update(**ANEW)
    JOB.enqueue_on_commit(row.pk)


def write_guides(row: Intelligence, content: Mapping[str, Any]) -> None:
    """Store what a person wrote; a job in progress will not overwrite it."""
    row.status, row.reason, row.edited = Job.Status.READY, "", True
    row.content, row.claim, row.claimed_until = dict(content), None, None
    row.save()
