import hashlib
import json
import tempfile
import zipfile
from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import IO, Any

from django.conf import settings
from django.utils import timezone

from interviews.exports import codebook
from interviews.exports.columns import AnyTable
from interviews.exports.database_cursor import one_snapshot
from interviews.exports.formats import Format
from interviews.exports.formats.cells import iso
from interviews.exports.methods import methods_facts, paragraph
from interviews.exports.selection import Selection
from interviews.exports.tables.consents import consents
from interviews.models import ConsentText
from llm.tasks.task import all_tasks
from llm.tasks.templates import load
from plans.models import Plan

CHUNK = 65_536


def archive_chunks(
    tables: Sequence[AnyTable], selection: Selection, form: Format, bom: bool = False
) -> Generator[bytes, None, None]:
    with tempfile.TemporaryFile(prefix="export-") as out:
        with one_snapshot():
            _write_archive(out, tables, selection, form, bom)
        yield from read_chunks(out)


def read_chunks(file: IO[bytes]) -> Iterator[bytes]:
    file.seek(0)
    while chunk := file.read(CHUNK):
        yield chunk


def write_chunks(file: IO[bytes], chunks: Iterable[bytes]) -> tuple[int, str]:
    """Write all of it; return its size and its SHA-256."""
    digest, size = hashlib.sha256(), 0
    for chunk in chunks:
        file.write(chunk)
        digest.update(chunk)
        size += len(chunk)
    return size, digest.hexdigest()


def _write_archive(
    out: IO[bytes], tables: Sequence[AnyTable], selection: Selection, form: Format, bom: bool
) -> None:
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        files = [_add_table(archive, table, selection, form, bom) for table in tables]
        files.append(_add_file(archive, "codebook.csv", [codebook.as_csv(tables, bom)]))
        files.append(_add_file(archive, "codebook.md", [codebook.as_markdown(tables).encode()]))
        for name, content in (*_plans(selection), *_provenance(selection)):
            files.append(_add_file(archive, name, [content]))
        manifest = {
            "interviewsite": settings.VERSION,
            "made_at": iso(timezone.now()),
            "selection": selection.as_dict(),
            "files": files,
        }
        _add_file(archive, "manifest.json", [_json(manifest)])


def _add_table(
    archive: zipfile.ZipFile, table: AnyTable, selection: Selection, form: Format, bom: bool
) -> dict[str, Any]:
    count = 0

    def counted() -> Iterator[Any]:
        nonlocal count
        for row in table.rows(selection):
            count += 1
            yield row

    file = _add_file(archive, f"{table.name}.{form.name}", form.write(table, counted(), bom))
    return file | {"rows": count}


def _add_file(archive: zipfile.ZipFile, name: str, chunks: Iterable[bytes]) -> dict[str, Any]:
    """Return what the manifest says of the file."""
    with archive.open(name, "w", force_zip64=True) as file:
        size, digest = write_chunks(file, chunks)
    return {"file": name, "bytes": size, "sha256": digest}


def _plans(selection: Selection) -> Iterator[tuple[str, bytes]]:
    used = selection.queryset().order_by().values("plan")
    names = set[str]()  # a bot that was deleted and imported again has equal plans
    for plan in Plan.objects.filter(pk__in=used).order_by("bot", "number").iterator():
        document = {
            "bot": plan.content.get("bot"),
            "version": plan.number,
            "signature": plan.signature,
            "protocol": plan.protocol,
            "content": plan.content,
        }
        name = f"plans/{document['bot']}-v{plan.number}-{plan.signature[:8]}.json"
        if name not in names:
            names.add(name)
            yield name, _json(document)


def _provenance(selection: Selection) -> Iterator[tuple[str, bytes]]:
    """Yield the methods, the consent texts, the models that were asked and their prompts.

    A prompt of which another version was used has changed since and isn't there.
    """
    facts = methods_facts(selection)
    yield "methods.md", f"# Methods\n\n{paragraph(facts)}\n".encode()
    texts = consents(selection).order_by().values("text")
    for text in ConsentText.objects.filter(pk__in=texts).order_by("pk"):
        yield f"consents/{text.language}-{text.version}.txt", text.text.encode()
    tasks, listed = {task.name: task.template for task in all_tasks()}, []
    prompts = dict[str, bytes]()
    for use in facts.models:
        path = tasks.get(use.task)
        same = path is not None and load(path).version == use.prompt_version
        name = f"prompts/{use.task}-v{use.prompt_version}.md" if same else None
        if path and name:
            prompts[name] = path.read_bytes()
        times = {"first": iso(use.first), "last": iso(use.last)}
        listed.append({**vars(use), **times, "prompt": name})
    yield from prompts.items()
    yield "models.json", _json(listed)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "backslashreplace")


def table_chunks(
    table: AnyTable, selection: Selection, form: Format, bom: bool = False
) -> Generator[bytes, None, None]:
    """Yield the file in chunks. Read it to its end, or close it, in one thread."""
    with one_snapshot():
        yield from form.write(table, table.rows(selection), bom)
