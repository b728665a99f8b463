"""Everything in one ZIP: tables, codebook, the plans they rest on, and a manifest with hashes."""

import hashlib
import json
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any

from django.utils import timezone

from interviews.exports import codebook
from interviews.exports.columns import AnyTable
from interviews.exports.database_cursor import one_snapshot
from interviews.exports.formats import Format
from interviews.exports.formats.cells import iso
from interviews.exports.selection import Selection
from plans.models import Plan

CHUNK = 65_536


@dataclass(frozen=True)
class ArchivedFile:
    """One file of the archive, as the manifest has it."""

    file: str
    bytes: int
    sha256: str
    rows: int | None = None


def archived(
    tables: Sequence[AnyTable], chosen: Selection, form: Format, bom: bool = False
) -> Iterator[bytes]:
    """The ZIP, piece by piece, built in a temporary file as of one moment."""
    with tempfile.TemporaryFile(prefix="export-") as out:
        with one_snapshot():
            _build(out, tables, chosen, form, bom)
        out.seek(0)
        while chunk := out.read(CHUNK):
            yield chunk


def _build(
    out: IO[bytes], tables: Sequence[AnyTable], chosen: Selection, form: Format, bom: bool
) -> None:
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        filed = [_table(archive, table, chosen, form, bom) for table in tables]
        filed.append(_file(archive, "codebook.csv", [codebook.as_csv(tables, bom)]))
        filed.append(_file(archive, "codebook.md", [codebook.as_markdown(tables).encode()]))
        filed += [_file(archive, name, [content]) for name, content in _plans(chosen)]
        _file(archive, "manifest.json", [_manifest(filed, chosen)])


def _table(
    archive: zipfile.ZipFile, table: AnyTable, chosen: Selection, form: Format, bom: bool
) -> ArchivedFile:
    counted = _Counted(table.rows(chosen))
    filed = _file(archive, f"{table.name}.{form.name}", form.write(table, counted, bom))
    return ArchivedFile(filed.file, filed.bytes, filed.sha256, counted.count)


class _Counted:
    """Rows that are counted as they pass."""

    def __init__(self, rows: Iterable[Any]) -> None:
        self.count = 0
        self._rows = rows

    def __iter__(self) -> Iterator[Any]:
        for row in self._rows:
            self.count += 1
            yield row


def _file(archive: zipfile.ZipFile, name: str, chunks: Iterable[bytes]) -> ArchivedFile:
    digest, size = hashlib.sha256(), 0
    with archive.open(name, "w", force_zip64=True) as file:
        for chunk in chunks:
            file.write(chunk)
            digest.update(chunk)
            size += len(chunk)
    return ArchivedFile(name, size, digest.hexdigest())


def _plans(chosen: Selection) -> Iterator[tuple[str, bytes]]:
    """Each plan that one of the interviews ran on."""
    used = chosen.queryset().order_by().values("plan")
    for plan in Plan.objects.filter(pk__in=used).order_by("bot", "number").iterator():
        told = {
            "bot": plan.content.get("bot"),
            "version": plan.number,
            "signature": plan.signature,
            "protocol": plan.protocol,
            "content": plan.content,
        }
        yield f"plans/{told['bot']}-v{plan.number}-{plan.signature[:8]}.json", _json(told)


def _manifest(filed: Sequence[ArchivedFile], chosen: Selection) -> bytes:
    files = [{k: v for k, v in vars(one).items() if v is not None} for one in filed]
    made = iso(timezone.now())
    return _json({"made_at": made, "selection": chosen.described(), "files": files})


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "backslashreplace")
