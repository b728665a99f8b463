import hashlib
import json
from collections import Counter
from dataclasses import dataclass

from plans.jobs import UNDER_WAY, Job
from plans.models import Bot, Document, ProjectContext


@dataclass(frozen=True)
class Progress:
    """How many documents are in which state; `context` is the summary's status, or empty."""

    documents: int
    ready: int
    failed: int
    waiting: int
    context: str = ""
    stale: bool = False  # the summary was made from other documents

    @property
    def busy(self) -> bool:
        return self.waiting > 0 or self.context in UNDER_WAY


def progress(bot: Bot) -> Progress:
    statuses = Counter(Document.objects.filter(bot=bot).values_list("status", flat=True))
    context = ProjectContext.objects.filter(bot=bot).first()
    return Progress(
        documents=statuses.total(),
        ready=statuses[Job.Status.READY],
        failed=statuses[Job.Status.FAILED],
        waiting=sum(statuses[status] for status in UNDER_WAY),
        context=context.status if context else "",
        stale=bool(context and is_stale(context)),
    )


def is_stale(context: ProjectContext) -> bool:
    """Return whether the summary was made from other documents or deep dives than there are now."""
    return bool(context.content) and context.content.get("rests_on") != signature_of(context.bot)


def signature_of(bot: Bot) -> str:
    """Return a signature of all ready documents, or an empty string without any."""
    ready = Document.objects.filter(bot=bot, status=Job.Status.READY).order_by("pk")
    rows = list(ready.values_list("pk", "name", "digest", "content"))
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest() if rows else ""


def has_unfinished_documents(bot: Bot) -> bool:
    return Document.objects.filter(bot=bot, status__in=UNDER_WAY).exists()


def lock_bot(bot: Bot) -> None:
    """Keep others from adding, finishing or removing the bot's documents in this transaction.

    Lock documents before their bot, and the bot before its context.
    """
    Bot.objects.select_for_update(no_key=True).filter(pk=bot.pk).first()
