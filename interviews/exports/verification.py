"""Check an archive against its manifest: nothing changed, missing or added."""

import csv
import hashlib
import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from interviews.exports.archive import CHUNK
from interviews.exports.formats.xlsx import CONTINUED

MANIFEST = "manifest.json"
UNREADABLE = (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError)


class NotAnArchive(Exception):
    """The file isn't an archive of interviews; the message says why."""


def verify(path: Path) -> tuple[dict[str, Any], list[str]]:
    """Return the archive's manifest and what is wrong with its files. Raises NotAnArchive."""
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = json.loads(archive.read(MANIFEST))
            listed = {str(one["file"]): one for one in manifest["files"]}
            return manifest, [*_problems(archive, listed)]
    except KeyError as error:
        raise NotAnArchive(f"{path} has no manifest that names its files ({error}).") from error
    except (*UNREADABLE, ValueError, TypeError) as error:
        raise NotAnArchive(f"{path} can't be read as an archive: {error}.") from error


def _problems(archive: zipfile.ZipFile, listed: dict[str, Any]) -> Iterator[str]:
    names = archive.namelist()
    for name in sorted({*names}):
        if names.count(name) > 1:
            yield f"{name}: stored more than once"
        if name not in listed and name != MANIFEST:
            yield f"{name}: added, the manifest doesn't name it"
    for name, expected in listed.items():
        if name not in names:
            yield f"{name}: missing"
            continue
        try:
            yield from _differences(archive, name, expected)
        except (*UNREADABLE, ValueError, csv.Error) as error:
            yield f"{name}: damaged, it can't be read ({error})"


def _differences(archive: zipfile.ZipFile, name: str, expected: dict[str, Any]) -> Iterator[str]:
    digest, size = hashlib.sha256(), 0
    with archive.open(name) as file:
        while (chunk := file.read(CHUNK)) and size <= expected["bytes"]:
            digest.update(chunk)
            size += len(chunk)
    if size != expected["bytes"] or digest.hexdigest() != expected["sha256"]:
        yield f"{name}: damaged, it isn't the file that was exported"
    elif (rows := expected.get("rows")) is not None:
        with archive.open(name) as file:
            found = ROWS[name.rpartition(".")[2]](file)
        if found != rows:
            yield f"{name}: has {found:,} rows, the manifest says {rows:,}"


def _csv_rows(file: IO[bytes]) -> int:
    before = csv.field_size_limit(2**31 - 1)  # of the whole process
    try:
        return sum(1 for _ in csv.reader(io.TextIOWrapper(file, "utf-8-sig", newline=""))) - 1
    finally:
        csv.field_size_limit(before)


def _jsonl_rows(file: IO[bytes]) -> int:
    return sum(1 for _ in file)


def _xlsx_rows(file: IO[bytes]) -> int:
    with zipfile.ZipFile(io.BytesIO(file.read())) as book:
        titles = re.findall(r'<sheet name="([^"]*)"', book.read("xl/workbook.xml").decode())
        return sum(
            book.read(f"xl/worksheets/sheet{number}.xml").count(b"<row ") - 1
            for number, title in enumerate(titles, 1)
            if title != CONTINUED
        )


ROWS: dict[str, Callable[[IO[bytes]], int]] = {
    "csv": _csv_rows,
    "jsonl": _jsonl_rows,
    "xlsx": _xlsx_rows,
}
