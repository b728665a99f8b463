from dataclasses import asdict
from typing import Any

from django.utils import timezone

from plans.jobs import ANEW, UNDER_WAY, Cancelled, Job, JobType, celery_task
from plans.models import Bot, Document, ProjectContext
from plans.protocols.knowledge_transfer.analysis.drafts import (
    UsableQuestion,
    draft_context,
    extract_summary,
    reconcile,
    usable_questions,
    warm_similarity_cache,
)
from plans.protocols.knowledge_transfer.analysis.status import (
    has_unfinished_documents,
    lock_bot,
    signature_of,
)

TASK = "plans.tasks.make_context"
PERSON, MODEL, RULES = "person", "model", "rules"


def request_context(bot: Bot) -> None:
    """Request the context for the bot's present documents if it is out of date.

    Call it in the transaction that changes documents. The last one to finish calls it again.
    """
    lock_bot(bot)
    if has_unfinished_documents(bot):
        return
    signature = signature_of(bot)
    if not signature:
        _delete_context(bot)
        return
    row, new = ProjectContext.objects.get_or_create(bot=bot)
    if new or row.signature != signature or row.status == Job.Status.FAILED:
        enqueue_context(row, signature)


def enqueue_context(row: ProjectContext, signature: str) -> None:
    """Enqueue the job anew; a worker already running it will store nothing."""
    ProjectContext.objects.filter(pk=row.pk).update(signature=signature, **ANEW)
    JOB.enqueue_on_commit(row.pk)


def _delete_context(bot: Bot) -> None:
    """Delete the context if no person wrote it, else only cancel its job."""
    rows = ProjectContext.objects.filter(bot=bot)
    rows.filter(edited=False).delete()
    rows.filter(status__in=UNDER_WAY).update(
        status=Job.Status.READY, signature="", claim=None, claimed_until=None
    )


def _make(row: ProjectContext) -> dict[str, Any]:
    signature = _settled_signature(row)
    ready = list(Document.objects.filter(bot=row.bot, status=Job.Status.READY))
    drafts = draft_context(row.bot, ready, summary=not row.edited)
    questions = usable_questions(row.bot, drafts.questions)
    warm_similarity_cache(row.bot, questions)
    # A person's own summary stays, and an earlier model's beats the extract.
    stays = not drafts.summary and (row.edited or row.content.get("made_by") in (PERSON, MODEL))
    if stays:
        summary = {name: row.content.get(name, "") for name in ("summary", "made_by", "rests_on")}
    else:
        author = MODEL if drafts.summary else RULES
        text = drafts.summary or extract_summary(ready)
        summary = {"summary": text, "made_by": author, "rests_on": signature}
    earlier = ["The summary is an earlier one."] if stays and not row.edited else []
    return {
        "content": {**summary, "questions": [asdict(one) for one in questions]},
        "signature": signature,
        "edited": row.edited or summary["made_by"] == PERSON,
        "reason": " ".join([*drafts.reasons, *earlier]),
        "updated_at": timezone.now(),
    }


def _settled_signature(row: ProjectContext) -> str:
    signature = signature_of(row.bot)
    if signature and not has_unfinished_documents(row.bot):
        return signature
    ProjectContext.objects.filter(pk=row.pk, claim=row.claim).update(signature="")
    raise Cancelled


def _merge_questions(row: ProjectContext) -> None:
    left_out = reconcile(row.bot, [UsableQuestion(**one) for one in row.content["questions"]])
    if left_out:
        full = f"The backlog is full. Drafted questions left out: {left_out}."
        ProjectContext.objects.filter(pk=row.pk).update(reason=f"{row.reason} {full}".strip())


JOB = JobType(ProjectContext, _make, celery_task(TASK), after=_merge_questions)
