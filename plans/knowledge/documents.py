"""Documents as jobs: each is read, looked into, and then its file is not needed any more."""

from typing import Any

from django.utils import timezone

from llm.routes import NO_MODEL
from plans.jobs import Workshop
from plans.knowledge import contexts
from plans.knowledge.diving import Found, look_into, points_of
from plans.knowledge.reading import parts_of
from plans.models import Document, DocumentFile


def _made(row: Document) -> dict[str, Any]:
    """The fields of a finished row."""
    parts = parts_of(row)
    found, points = look_into(row, parts), points_of(parts)
    fields = _kept(row, found) if not found.fields and _is_worth(row) else _new(found)
    fields["content"]["points"] = points
    return {"updated_at": timezone.now(), **fields}


def _new(found: Found) -> dict[str, Any]:
    reason = found.reason
    if reason and not found.fields:
        reason += " What is shown are sentences of its own."
    content = {**found.fields, "made_by": "model" if found.fields else "rules"}
    return {"content": content, "reason": reason, "edited": False}


def _kept(row: Document, found: Found) -> dict[str, Any]:
    """What a model found or a person wrote before: better than the rules of today."""
    reason = f"{found.reason or NO_MODEL} What is shown is from before."
    return {"content": dict(row.content), "reason": reason}


def _is_worth(row: Document) -> bool:
    return row.edited or row.content.get("made_by") == "model"


def settled(row: Document) -> None:
    """What follows from a document that is made or has failed, in the same transaction."""
    contexts.wish_context(row.bot)


def _after(row: Document) -> None:
    DocumentFile.objects.filter(document=row).delete()
    settled(row)


def _queue(pk: int) -> None:
    from plans.tasks import make_document  # Celery's door imports this module

    make_document.delay(pk)


_workshop = Workshop(Document, _made, _queue, after=_after, given_up=settled)
make = _workshop.run
sweep = _workshop.sweep
hand_out = _workshop.hand_out
