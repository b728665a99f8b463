"""Project contexts as jobs: wished for when the documents have settled, made once for them."""

from dataclasses import asdict
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from plans.jobs import ANEW, UNDER_WAY, Cancelled, Job, JobType, celery_task
from plans.models import Bot, Document, ProjectContext
from plans.protocols.knowledge_transfer.analysis.backlog_merge import (
    reconcile,
    warm_similarity_cache,
)
from plans.protocols.knowledge_transfer.analysis.drafts import (
    ContextDrafts,
    draft_context,
    extract_summary,
)
from plans.protocols.knowledge_transfer.analysis.status import (
    has_unfinished_documents,
    lock_bot,
    signature_of,
)
from plans.protocols.knowledge_transfer.analysis.usable_questions import (
    UsableQuestion,
    usable_questions,
)

TASK = "plans.tasks.make_context"
PERSON, MODEL, RULES = "person", "model", "rules"


def request_context(bot: Bot) -> ProjectContext | None:
    """The context for the bot's documents as they are now; wished for if it is none for them yet.

    To be called in the transaction that changes documents. None while some of them are still being
    made (whichever ends last comes here again), and where there are none.
    """
    lock_bot(bot)
    if has_unfinished_documents(bot):
        return None
    signature = signature_of(bot)
    if not signature:
        _forget(bot)
        return None
    row, new = ProjectContext.objects.get_or_create(bot=bot)
    if new or row.signature != signature or row.status == Job.Status.FAILED:
        enqueue_context(row, signature)
    return row


def enqueue_context(row: ProjectContext, signature: str) -> None:
    """Has it made anew; who is making it now stores nothing any more."""
    ProjectContext.objects.filter(pk=row.pk).update(signature=signature, **ANEW)
    transaction.on_commit(partial(JOB.enqueue, row.pk))


def _forget(bot: Bot) -> None:
    """There is nothing to rest on any more; only what a person wrote stays."""
    rows = ProjectContext.objects.filter(bot=bot)
    rows.filter(edited=False).delete()
    rows.filter(status__in=UNDER_WAY).update(
        status=Job.Status.READY, signature="", claim=None, claimed_until=None
    )


def _made(row: ProjectContext) -> dict[str, Any]:
    """The fields of a finished row."""
    signature = _signature(row)
    ready = list(Document.objects.filter(bot=row.bot, status=Job.Status.READY))
    made = draft_context(row.bot, ready, summary=not row.edited)
    questions = usable_questions(row.bot, made.questions)
    warm_similarity_cache(row.bot, questions)
    return {
        "content": {
            **_summary(row, made, ready, signature),
            "questions": [asdict(one) for one in questions],
        },
        "signature": signature,
        "edited": row.edited or _falls_back_on(row, made) == PERSON,
        "reason": _reason(row, made),
        "updated_at": timezone.now(),
    }


def _signature(row: ProjectContext) -> str:
    """Of what it will rest on. Raises Cancelled while that still changes."""
    signature = signature_of(row.bot)
    if signature and not has_unfinished_documents(row.bot):
        return signature
    ProjectContext.objects.filter(pk=row.pk, claim=row.claim).update(signature="")
    raise Cancelled


def _summary(
    row: ProjectContext, made: ContextDrafts, ready: list[Document], signature: str
) -> dict[str, str]:
    """The new summary; a person's own stays, and any from before is better than the rules'."""
    if made.summary:
        return {"summary": made.summary, "made_by": MODEL, "rests_on": signature}
    if row.edited or _falls_back_on(row, made):
        return {name: row.content.get(name, "") for name in ("summary", "made_by", "rests_on")}
    return {"summary": extract_summary(ready), "made_by": RULES, "rests_on": signature}


def _falls_back_on(row: ProjectContext, made: ContextDrafts) -> str:
    """By whom the summary is that stays since no model has written one; empty where none does."""
    by = str(row.content.get("made_by", ""))
    return by if by in (PERSON, MODEL) and not made.summary else ""


def _reason(row: ProjectContext, made: ContextDrafts) -> str:
    """What is missing, in words."""
    before = "The summary is from before." if _falls_back_on(row, made) and not row.edited else ""
    return " ".join(filter(None, (*made.reasons, before)))


def _after(row: ProjectContext) -> None:
    """The questions join the backlog."""
    left = reconcile(row.bot, [UsableQuestion(**one) for one in row.content["questions"]])
    if left:
        full = f"The backlog is full. Drafted questions without room: {left}."
        ProjectContext.objects.filter(pk=row.pk).update(reason=f"{row.reason} {full}".strip())


JOB = JobType(ProjectContext, _made, celery_task(TASK), after=_after)
