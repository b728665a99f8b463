"""What is taken in, what is refused and in which words; odd and hostile files never break it."""

import hashlib
import threading
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.db import IntegrityError, connection

from plans.documents import limits
from plans.documents.limits import NAME_CHARACTERS
from plans.jobs import Job
from plans.models import Document, DocumentFile, ProjectContext
from plans.protocols.knowledge_transfer.analysis import document_job, requests
from plans.protocols.knowledge_transfer.analysis.requests import (
    DocumentRejected,
    add_file,
    add_text,
)
from tests.plans.documents.samples import (
    CODE,
    GOOD,
    PROSE,
    pdf,
    protected_pdf,
    rewritten,
    word,
    workbook,
)
from tests.plans.knowledge.handing_over import NOTES, read
from tests.transfers import make_transfer_bot

pytestmark = pytest.mark.django_db(transaction=True)
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 20


@pytest.fixture(autouse=True)
def offline(settings):
    settings.LLM_PROVIDER = "offline"


def test_a_file_waits_with_its_bytes(transfer):
    row = add_file(transfer, "../over/there/notes.txt", NOTES)

    assert (row.name, row.status, row.size) == ("notes.txt", Job.Status.PENDING, len(NOTES))
    assert row.digest == hashlib.sha256(NOTES).hexdigest()
    assert bytes(row.file.content) == NOTES


@pytest.mark.parametrize("name", GOOD)
def test_every_kind_is_taken_in_and_read(transfer, name):
    row = read(transfer, name, GOOD[name])

    assert (row.status, row.reason) == (Job.Status.READY, "")
    assert row.kind
    assert row.parts.first().number == 1
    assert row.content["points"]
    assert not DocumentFile.objects.exists()


REFUSED = {
    "nothing": ("a.txt", b"", "The file is empty."),
    "space": ("a.txt", b" \n\t\x00", "The file is empty."),
    "21 MB": ("a.txt", b"a" * (21 * limits.MEGABYTE), "The file is too large."),
    "picture": ("a.png", PNG, "This kind of file can't be read here."),
    "picture named text": ("a.txt", PNG, "This kind of file can't be read here."),
    "text named workbook": ("a.xlsx", NOTES, "The name says one kind of file"),
    "text named pdf": ("a.pdf", NOTES, "The name says one kind of file"),
    "pdf named text": ("a.txt", pdf(), "The name says one kind of file"),
    "workbook named markdown": ("a.md", workbook(), "The name says one kind of file"),
    "workbook named code": ("a.py", workbook(), "The name says one kind of file"),
    "old office": ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 999, "older Office file"),
}


@pytest.mark.parametrize(("name", "content", "words"), REFUSED.values(), ids=list(REFUSED))
def test_what_can_be_seen_at_once_is_refused_at_once(transfer, name, content, words):
    with pytest.raises(DocumentRejected, match=words.replace("(", r"\(")):
        add_file(transfer, name, content)

    assert not Document.objects.exists()


def _bomb() -> bytes:
    return rewritten(workbook(), {"xl/worksheets/sheet1.xml": b"0" * (70 * limits.MEGABYTE)})


def _archive() -> bytes:
    target = BytesIO()
    with ZipFile(target, "w", ZIP_DEFLATED) as container:
        container.writestr("notes.txt", NOTES)
    return target.getvalue()


FAILING = {
    "zip bomb": ("a.xlsx", _bomb, "too large"),
    "huge sheet": ("a.xlsx", lambda: workbook([[1] * 255] * 400), "too many parts"),
    "too much text": ("a.txt", lambda: b"word " * 500_000, "too much text"),
    "half a workbook": ("a.xlsx", lambda: workbook()[:-900], "damaged"),
    "word named workbook": ("a.xlsx", word, "The name says one kind of file"),
    "archive": ("a.zip", _archive, "can't be read here"),
    "protected pdf": ("a.pdf", lambda: protected_pdf("secret"), "password"),
    "pdf of nothing": ("a.pdf", lambda: b"%PDF-1.7\n" + b"\xff" * 900, "damaged"),
    "binary": ("a.bin", lambda: b"\xfe\xdc\x80\x81" * 3000, "can't be read here"),
    "script of zeros later": (
        "a.py",
        lambda: CODE.encode() * 99 + b"\x00\x01\x02" * 4000,
        "can't be",
    ),
}


@pytest.mark.bounded
@pytest.mark.processes
@pytest.mark.parametrize(("name", "make", "words"), FAILING.values(), ids=list(FAILING))
def test_what_only_reading_shows_fails_once_and_says_why(transfer, name, make, words):
    row = read(transfer, name, make())

    assert (row.status, row.attempts, row.claim) == (Job.Status.FAILED, 1, None)
    assert words in row.reason
    assert not row.parts.exists()
    assert document_job.JOB.sweep() == 0
    document_job.JOB.run(row.pk)
    row.refresh_from_db()
    assert row.attempts == 1
    assert not ProjectContext.objects.exists()


def test_the_same_content_is_refused_and_named(transfer):
    add_file(transfer, "notes.txt", NOTES)

    with pytest.raises(DocumentRejected, match="This document has already been added"):
        add_file(transfer, "notes.txt", NOTES)
    with pytest.raises(DocumentRejected, match=r"already been added, as notes\.txt\."):
        add_file(transfer, "other.txt", NOTES)
    assert Document.objects.get().name == "notes.txt"
    add_file(make_transfer_bot(documents=False), "notes.txt", NOTES)  # another bot's


def test_another_document_of_the_same_name_gets_a_number(transfer):
    names = [add_file(transfer, "notes.txt", NOTES * n).name for n in (1, 2, 3)]

    assert names == ["notes.txt", "notes (2).txt", "notes (3).txt"]


@pytest.mark.parametrize(
    ("name", "second"),
    [
        ("Makefile", "Makefile (2)"),
        (".env", ".env (2)"),
        ("a." + "x" * 11, "a." + "x" * 11 + " (2)"),
        ("n" * 116 + ".txt", "n" * 111 + " (2).txt"),
    ],
)
def test_numbers_keep_endings_and_fit(name, second):
    assert requests.free_name(name, {name}) == second
    assert len(second) <= NAME_CHARACTERS


def test_two_at_once_are_one_document(transfer):
    said = []

    def add():
        try:
            said.append(add_file(transfer, "notes.txt", NOTES).name)
        except DocumentRejected as error:
            said.append(str(error))
        finally:
            connection.close()

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(said) == ["This document has already been added."] * 3 + ["notes.txt"]
    assert DocumentFile.objects.count() == 1


@pytest.mark.parametrize("changed", ["name", "digest"])
def test_the_database_holds_it_too(transfer, changed):
    row = add_file(transfer, "notes.txt", NOTES)
    fields = {"name": row.name, "digest": row.digest, changed: "other"}

    with pytest.raises(IntegrityError):
        Document.objects.create(bot=transfer, size=1, **fields)


def test_there_are_so_many_and_no_more(transfer, monkeypatch):
    monkeypatch.setattr(requests, "MOST_DOCUMENTS", 2)
    add_file(transfer, "one.txt", b"one")
    add_file(transfer, "two.txt", b"two")

    with pytest.raises(DocumentRejected, match="There are already 2 documents"):
        add_file(transfer, "three.txt", b"three")


def test_together_they_may_have_so_many_bytes(transfer, monkeypatch):
    monkeypatch.setattr(requests, "MOST_BYTES", 2 * limits.MEGABYTE)
    add_file(transfer, "one.txt", b"1" * limits.MEGABYTE)

    with pytest.raises(DocumentRejected, match="larger than 2 MB"):
        add_file(transfer, "two.txt", b"2" * limits.MEGABYTE + b"2")
    add_file(transfer, "three.txt", b"3" * limits.MEGABYTE)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("", "Pasted text.txt"),
        ("  \n", "Pasted text.txt"),
        ("Notes of Monday", "Notes of Monday.txt"),
        ("notes.md", "notes.md"),
        ("prices.xlsx", "prices.xlsx.txt"),
        ("../a/b", "b.txt"),
        ("n" * 300, "n" * 116 + ".txt"),
    ],
)
def test_pasted_text_is_a_document_with_an_ending(transfer, name, kept):
    row = add_text(transfer, name, f"\r\n{PROSE}\x00 ")

    assert row.name == kept
    assert bytes(row.file.content).decode() == PROSE.strip()
    document_job.JOB.run(row.pk)
    row.refresh_from_db()
    assert row.status == Job.Status.READY


def test_no_text_is_no_document(transfer):
    with pytest.raises(DocumentRejected, match="Enter some text"):
        add_text(transfer, "notes", " \n\x00")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1251", "utf-32"])
def test_text_in_other_encodings_is_text(transfer, encoding):
    text = "Заказы свыше пятисот листов печатает большая машина. Почему так, не записано нигде.\n"
    row = read(transfer, "notes.txt", (text * 3).encode(encoding))

    assert row.parts.get().text.splitlines()[0] == text.strip()


def test_nothing_is_handed_out_when_the_transaction_is_undone(transfer, monkeypatch):
    out = []
    monkeypatch.setattr(type(document_job.JOB), "enqueue", lambda self, pk: out.append(pk))
    row = add_file(transfer, "notes.txt", NOTES)
    with pytest.raises(DocumentRejected):
        add_file(transfer, "notes.txt", NOTES)

    assert out == [row.pk]
