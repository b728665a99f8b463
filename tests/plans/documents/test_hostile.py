"""Documents that are broken, lie or attack: a sentence for a person, in bounded time and memory."""

import socket
import struct
import time
import zlib
from contextlib import suppress
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import psutil
import pytest

from plans.documents import Reason, Unreadable, limits, read, reader
from plans.documents.parser import parse
from tests.each import each
from tests.plans.documents.samples import (
    GOOD,
    assembled,
    pdf,
    protected_pdf,
    rewritten,
    word,
    workbook,
)

pytestmark = pytest.mark.processes
SHEET = "xl/worksheets/sheet1.xml"
BODY = "word/document.xml"
ENTITY = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'


def reason(name: str, content: bytes) -> Reason:
    with pytest.raises(Unreadable) as caught:
        parse(name, content)
    assert len(str(caught.value)) < 200
    return caught.value.reason


def worked(name: str, content: bytes) -> Reason:
    """The same through the worker."""
    with pytest.raises(Unreadable) as caught:
        read(name, BytesIO(content))
    return caught.value.reason


@each(
    ("name", "content", "expected"),
    [
        ("a.txt", b"", Reason.EMPTY),
        ("a.txt", b" \r\n\t", Reason.EMPTY),
        ("a.pdf", b"\x00" * 500, Reason.EMPTY),
        ("a.docx", b"plain words", Reason.DISAGREE),
        ("a.txt", GOOD["manual.pdf"], Reason.DISAGREE),
        ("a.xlsx", GOOD["process.docx"], Reason.DISAGREE),
        ("a.py", GOOD["prices.xlsx"], Reason.DISAGREE),
        ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), Reason.UNKNOWN),
        ("a.exe", b"MZ\x90\x00" + b"\x00\x01\x02\xff" * 50, Reason.UNKNOWN),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600, Reason.OLD_OFFICE),
        (
            "a.docx",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            Reason.ENCRYPTED,
        ),
        ("a.pdf", protected_pdf("secret"), Reason.ENCRYPTED),
        ("a.pdf", pdf(" "), Reason.NO_TEXT),
        ("a.pdf", b"%PDF-1.7\nnothing else", Reason.BROKEN),
        ("a.pdf", pdf(*(["x"] * (limits.PAGES + 1))), Reason.TOO_MANY),
        ("a.txt", b"word " * (limits.CHARACTERS // 5 + 1), Reason.TOO_LONG),
        ("a.csv", b'a,"' + b"x" * 200_000, Reason.BROKEN),
    ],
)
def test_what_cannot_be_read_says_why(name, content, expected):
    assert reason(name, content) == expected


def test_a_pdf_that_opens_without_a_password_is_read():
    assert parse("a.pdf", protected_pdf("")).parts[0].text == "Page one says 42."


def test_kinds_are_recognised_without_a_name():
    kinds = [parse("upload", GOOD[name]).kind for name in ("prices.xlsx", "process.docx")]
    assert [*kinds, parse("upload", pdf()).kind] == ["xlsx", "docx", "pdf"]
    assert parse("upload", b"#!/bin/sh\necho 17\n").kind == "code"


def test_a_stream_is_read_no_further_than_the_limit():
    class Endless(BytesIO):
        taken = 0

        def read(self, size=-1):
            assert 0 < size <= 64 * 1024
            self.taken += size
            return b"x" * size

    stream = Endless()
    with pytest.raises(Unreadable) as caught:
        read("a.txt", stream)

    assert caught.value.reason == Reason.TOO_LARGE
    assert stream.taken <= limits.BYTES + 1


# ---------------------------------------------------------------- containers


def test_a_bomb_is_refused_by_what_it_says_of_itself(monkeypatch):
    bomb = rewritten(word(), {"word/media/zeros.bin": b"\0" * (limits.EXPANDED + 1)})
    monkeypatch.setattr(ZipFile, "open", None)  # nothing in it may be opened

    assert len(bomb) < limits.MEGABYTE
    assert reason("a.docx", bomb) == Reason.TOO_LARGE


def lying(content: bytes, member: str, size: int, crc: int) -> bytes:
    """The container with another size and checksum for a member, in both its headers."""
    changed = bytearray(content)
    for mark, at, name_at in ((b"PK\x03\x04", 14, 30), (b"PK\x01\x02", 16, 46)):
        place = changed.find(mark)
        while place >= 0 and changed[place + name_at :][: len(member)] != member.encode():
            place = changed.find(mark, place + 4)
        packed = struct.unpack_from("<I", changed, place + at + 4)[0]
        struct.pack_into("<III", changed, place + at, crc, packed, size)
    return bytes(changed)


def test_a_member_that_lies_about_its_size_costs_no_more_than_it_says():
    true = b"<x>" + b" " * (100 * limits.MEGABYTE)
    bomb = rewritten(word(), {"word/extra.xml": true})
    del true

    wrong_sum = lying(bomb, "word/extra.xml", 10, 0)
    right_sum = lying(bomb, "word/extra.xml", 4, zlib.crc32(b"<x> "))

    assert worked("a.docx", wrong_sum) == Reason.BROKEN
    assert worked("a.docx", right_sum) == Reason.BROKEN  # what is left of it is no XML


def test_a_container_that_is_packed_with_a_password_says_so():
    protected = bytearray(word())
    for mark, flags_at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = protected.find(mark)
        while place >= 0:
            protected[place + flags_at] |= 1
            place = protected.find(mark, place + 4)

    assert reason("a.docx", bytes(protected)) == Reason.ENCRYPTED


def test_what_lies_within_a_container_is_not_unpacked():
    inner = rewritten(word(), {"word/media/zeros.bin": b"\0" * (limits.EXPANDED + 1)})
    nested = rewritten(word(), {"word/embeddings/inner.docx": inner, "word/vbaProject.bin": b"Sub"})

    assert parse("a.docx", nested).parts == parse("a.docx", word()).parts


def test_too_many_members_are_refused():
    target = BytesIO()
    with ZipFile(target, "w", ZIP_DEFLATED) as container:
        container.writestr("word/document.xml", "<x/>")
        for number in range(limits.MEMBERS):
            container.writestr(f"{number}.xml", "<x/>")

    assert reason("a.docx", target.getvalue()) == Reason.TOO_MANY


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_may_be_there_once():
    target = BytesIO(word())
    with ZipFile(target, "a") as container:
        container.writestr("docProps/app.xml", "<other/>")

    assert reason("a.docx", target.getvalue()) == Reason.BROKEN


def test_other_containers_are_named_as_such():
    target = BytesIO()
    with ZipFile(target, "w") as container:
        container.writestr("content.xml", "<x/>")

    assert reason("a.zip", target.getvalue()) == Reason.UNKNOWN


@pytest.mark.parametrize("declared", [ENTITY, LAUGHS])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize(
    ("name", "member"),
    [("a.docx", BODY), ("a.docx", "word/_rels/document.xml.rels"), ("a.xlsx", SHEET)],
)
def test_declared_entities_are_refused_in_any_encoding(declared, encoding, name, member):
    good = word() if name == "a.docx" else workbook()

    def declaring(text: str) -> bytes:
        body = text.partition("?>")[2]
        return f'<?xml version="1.0" encoding="{encoding}"?>{declared}{body}'.encode(encoding)

    assert reason(name, rewritten(good, {member: declaring})) == Reason.UNSAFE


# ---------------------------------------------------------------- nothing is fetched


@pytest.fixture
def listener():
    """A server's door, and whether somebody knocked."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server
        with pytest.raises(BlockingIOError):
            server.accept()


def test_external_relations_are_not_followed(listener):
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/t.dotx"
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    relation = (
        f'<Relationship Id="rId99" Type="{kind}/attachedTemplate" Target="{url}" '
        'TargetMode="External"/></Relationships>'
    )

    def linking(text: str) -> str:
        return text.replace("</Relationships>", relation)

    for name, good, member in (
        ("a.docx", word(), "word/_rels/document.xml.rels"),
        ("a.xlsx", workbook(), "xl/_rels/workbook.xml.rels"),
    ):
        read(name, BytesIO(rewritten(good, {member: linking})))


def test_a_relation_out_of_the_container_leads_nowhere():
    def leading(text: str) -> str:
        return text.replace('Target="styles.xml"', 'Target="../../../../../etc/passwd"')

    content = rewritten(word(), {"word/_rels/document.xml.rels": leading})

    assert reason("a.docx", content) == Reason.BROKEN


# ---------------------------------------------------------------- sheets


def sheet(rows: str) -> bytes:
    def filled(text: str) -> str:
        before, _, rest = text.partition("<sheetData>")
        return f"{before}<sheetData>{rows}</sheetData>{rest.partition('</sheetData>')[2]}"

    return rewritten(workbook(hidden=False), {SHEET: filled})


@pytest.mark.long  # other limits are tested with small documents
def test_a_sheet_of_a_million_cells_is_refused():
    row = "".join('<c t="n"><v>1</v></c>' for _ in range(1000))

    assert worked("a.xlsx", sheet(f"<row>{row}</row>" * 1000)) == Reason.TOO_MANY


def test_a_cell_at_the_far_end_costs_little():
    far = sheet('<row r="1048576"><c r="XFD1048576"><v>17</v></c></row>')

    part = parse("a.xlsx", far).parts[0]

    assert (part.last, part.text) == (1_048_576, "XFD1048576: 17")


def test_a_sheet_may_claim_any_size():
    def claiming(text: str) -> str:
        return text.replace('<dimension ref="A1:B3"/>', '<dimension ref="A1:XFD1048576"/>')

    content = rewritten(workbook(hidden=False), {SHEET: claiming})

    assert parse("a.xlsx", content).parts[0].cells == "A1:B3"


def test_rows_that_only_span_are_counted():
    wide = "".join(f'<row r="{n}"><c r="XFD{n}"><v>1</v></c></row>' for n in range(1, 400))

    assert reason("a.xlsx", sheet(wide)) == Reason.TOO_MANY


# ---------------------------------------------------------------- loops


def test_a_table_cell_that_spans_a_billion_columns_is_told_once():
    def spanning(text: str) -> str:
        return text.replace("<w:tcPr>", '<w:tcPr><w:gridSpan w:val="1000000000"/>', 1)

    content = rewritten(word(), {BODY: spanning})

    assert "Case | Limit" in parse("a.docx", content).parts[1].text


@pytest.mark.long  # takes seconds by design
def test_many_paragraphs_are_read_or_refused_in_seconds():
    def paragraphs(count: int) -> bytes:
        more = "<w:p><w:r><w:t>Words.</w:t></w:r></w:p>" * count
        change = {BODY: lambda text: text.replace("<w:body>", f"<w:body>{more}")}
        return rewritten(word(), change)

    started = time.process_time()

    assert len(parse("a.docx", paragraphs(limits.PARAGRAPHS - 20)).parts) > 2
    assert reason("a.docx", paragraphs(limits.PARAGRAPHS)) == Reason.TOO_MANY
    assert time.process_time() - started < 10


def looping_pdfs() -> dict[str, bytes]:
    pages = "<< /Type /Pages /Kids [2 0 R] /Count 1 >>"
    catalog = "<< /Type /Catalog /Pages 2 0 R >>"
    chain = pdf().replace(b"trailer\n<<", b"trailer\n<< /Prev 9 ")
    return {
        "pages that hold themselves": assembled({1: catalog, 2: pages}),
        "two that hold each other": assembled(
            {
                1: catalog,
                2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                3: "<< /Type /Pages /Kids [2 0 R] /Count 1 /Parent 2 0 R >>",
            }
        ),
        "an object that is itself": assembled({1: catalog, 2: "2 0 R"}),
        "a table that goes before itself": chain,
        "a count beyond belief": assembled(
            {1: catalog, 2: "<< /Type /Pages /Kids [] /Count 999999999 >>"}
        ),
        "nesting without end": b"%PDF-1.4\n1 0 obj\n" + b"[" * 200_000,
    }


@each("which", looping_pdfs())
def test_a_pdf_that_turns_in_circles_ends(which):
    started = time.process_time()
    try:
        parse("a.pdf", looping_pdfs()[which])
    except Unreadable as error:
        assert error.reason in (Reason.BROKEN, Reason.NO_TEXT, Reason.TOO_MANY)
    assert time.process_time() - started < 5


def test_a_pdf_whose_streams_expand_is_bounded():
    packed = zlib.compress(zlib.compress(b"\0" * (200 * limits.MEGABYTE), 1), 1)
    bomb = pdf().replace(
        b"<< /Length", f"<< /Filter [/FlateDecode /FlateDecode] /X {len(packed)} /Length".encode()
    )
    bomb = bomb.replace(b"stream\nBT", b"stream\n" + packed + b"\nendstream\nBT", 1)

    assert worked("a.pdf", bomb) in (Reason.BROKEN, Reason.NO_TEXT, Reason.TOO_SLOW)


# ---------------------------------------------------------------- the worker's limits


def worker(monkeypatch, tmp_path, code: str, first: str = "") -> None:
    """A worker in which reading does something else."""
    (tmp_path / "sitecustomize.py").write_text(
        "import plans.documents.parser as parsing\n"
        "from plans.documents.types import FileKind\n"
        "import types, sys\n"
        "from plans.documents import limits\n"
        "from plans.documents.types import Parts\n"
        f"{first}\n"
        "def parts(text):\n"
        "    made = Parts()\n"
        "    made.add('lines', text)\n"
        "    return made\n"
        "stand_in = types.ModuleType('plans.documents.stand_in')\n"
        f"def text_parts(content):\n    {code}\n"
        "stand_in.text_parts = text_parts\n"
        "sys.modules['plans.documents.stand_in'] = stand_in\n"
        "parsing.PARSERS[FileKind.TEXT] = 'stand_in:text_parts'\n"
    )
    path = f"{tmp_path}:{reader.ROOT}"
    monkeypatch.setattr(reader, "ENVIRONMENT", {"PYTHONPATH": path})


def commands() -> list[str]:
    """Of this process's children; one may end while it is looked at."""
    found = []
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):
            found.append(" ".join(child.cmdline()))
    return found


def test_a_parser_that_waits_forever_is_stopped(monkeypatch, tmp_path):
    worker(monkeypatch, tmp_path, "import time; time.sleep(50)")
    monkeypatch.setattr(limits, "SECONDS", 1)
    started = time.monotonic()

    assert worked("a.txt", b"words") == Reason.TOO_SLOW
    assert time.monotonic() - started < 20
    assert not [c for c in commands() if "plans.documents.worker" in c]


def test_a_parser_that_turns_in_circles_is_stopped(monkeypatch, tmp_path):
    worker(monkeypatch, tmp_path, "while True: pass", "limits.CPU_SECONDS = 1")
    started = time.monotonic()

    assert worked("a.txt", b"words") == Reason.TOO_SLOW
    assert time.monotonic() - started < 20


def test_a_parser_that_takes_all_memory_is_stopped(monkeypatch, tmp_path):
    hog = "hog = [bytearray(2**26) for _ in range(20)]; return parts('too much')"
    worker(monkeypatch, tmp_path, hog)

    assert worked("a.txt", b"words") == Reason.TOO_SLOW


def test_a_parser_that_crashes_takes_nobody_with_it(monkeypatch, tmp_path):
    told = []
    monkeypatch.setattr(reader.log, "warning", lambda *words: told.append(words[-1]))
    worker(monkeypatch, tmp_path, "import os; os.abort()")

    assert worked("a.txt", b"words") == Reason.TOO_SLOW
    assert told == [-6]


def test_the_worker_knows_no_secrets(monkeypatch, tmp_path):
    monkeypatch.setenv("SECRET_KEY", "canary")
    worker(monkeypatch, tmp_path, "import os; return parts(' '.join(os.environ))")

    assert "SECRET_KEY" not in read("a.txt", BytesIO(b"words")).parts[0].text


@pytest.mark.long  # the reader has its limit of memory in a test above
def test_this_process_stays_small_while_a_large_one_is_read():
    before = psutil.Process().memory_info().rss
    rows = "".join(f"<row>{'<c><v>1</v></c>' * 500}</row>" for _ in range(199))
    content = sheet(rows)
    del rows
    made = psutil.Process().memory_info().rss

    assert read("a.xlsx", BytesIO(content)).parts[0].cells == "A1:SF60"
    assert psutil.Process().memory_info().rss - max(before, made) < 20 * limits.MEGABYTE
