"""The shipped documents: read like any other, with a deep dive that was written beforehand."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import Any

from plans.documents import Read, read, summary
from plans.jobs import Job
from plans.knowledge.contexts import PERSON
from plans.models import Bot, Document, DocumentPart

FOLDER = Path(__file__).parent / "documents"


def load_documents(bot: Bot, entries: Iterable[Mapping[str, Any]]) -> None:
    """Brings the documents that the bot doesn't have yet; `file` names one of the folder."""
    for entry in entries:
        if not bot.documents.filter(name=entry["file"]).exists():
            _load(bot, entry["file"], {k: v for k, v in entry.items() if k != "file"})


def _load(bot: Bot, name: str, dive: dict[str, Any]) -> None:
    content = (FOLDER / name).read_bytes()
    found = read(name, BytesIO(content))
    document = Document.objects.create(
        bot=bot,
        name=name,
        kind=found.kind,
        size=len(content),
        digest=hashlib.sha256(content).hexdigest(),
        status=Job.Status.READY,
        content={**dive, "points": _points(found), "made_by": PERSON},
        edited=True,
    )
    DocumentPart.objects.bulk_create(
        DocumentPart(document=document, number=number, place=part.place, text=part.text)
        for number, part in enumerate(found.parts, start=1)
    )


def _points(found: Read) -> list[dict[str, str]]:
    return [asdict(point) for point in summary(found.parts)]
