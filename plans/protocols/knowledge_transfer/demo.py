"""The shipped documents: read like any other, with deep dives written beforehand."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from io import BytesIO
from typing import Any

from plans.documents import read, summary
from plans.jobs import Job
from plans.models import Bot, Document, DocumentPart
from plans.protocols.base import DOCUMENTS, DemoParts
from plans.protocols.knowledge_transfer.analysis.context_job import PERSON


def load_documents(bot: Bot, entry: Mapping[str, Any]) -> None:
    """Add the entry's documents that the bot doesn't have yet; `file` is a name in DOCUMENTS."""
    for document in entry.get("documents", ()):
        if not bot.documents.filter(name=document["file"]).exists():
            _load(bot, document["file"], {k: v for k, v in document.items() if k != "file"})


def _load(bot: Bot, name: str, dive: dict[str, Any]) -> None:
    content = (DOCUMENTS / name).read_bytes()
    source = read(name, BytesIO(content))
    points = [asdict(point) for point in summary(source.parts)]
    document = Document.objects.create(
        bot=bot,
        name=name,
        kind=source.kind,
        size=len(content),
        digest=hashlib.sha256(content).hexdigest(),
        status=Job.Status.READY,
        content={**dive, "points": points, "made_by": PERSON},
        edited=True,
    )
    DocumentPart.objects.bulk_create(
        DocumentPart(document=document, number=number, place=part.place, text=part.text)
        for number, part in enumerate(source.parts, start=1)
    )


DEMO = DemoParts(before=load_documents)
