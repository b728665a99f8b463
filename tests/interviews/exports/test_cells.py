"""Every cell and header of every format: formulas escaped, texts as they were."""

import io
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from interviews.exports.columns import Column, Table, Type
from interviews.exports.formats import FORMATS, csv, xlsx
from interviews.exports.formats.cells import encode_text, escape_formula
from interviews.exports.refi_qda.project import clean
from plans.text import normalised
from tests.each import each
from tests.interviews.exports.reading import READERS, csv_rows, unescape_formula

DOCUMENT = Path(__file__).parents[3] / "docs" / "researchers.md"
FORMULAS = [
    "=1+1",
    '=HYPERLINK("http://example.org","x")',
    "=cmd|' /C calc'!A0",
    "+1",
    "-2+3",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "\0=1+1",
    "＝1+1",
    "'=1+1",
    "''=1+1",
]
HARMLESS = ["", "1", "a=b", "'quoted'", "'", " =1", "{=1}", "Ünïcode", "x\0y"]
WORDS = [
    'She said "no", twice',
    "two\r\nlines",
    "semi;colon,comma",
    "\u05e9\u05dc\u05d5\u05dd \u200fעולם",
    "👩‍👩‍👧 e\u0301 \u200b zero width",
    "trailing space ",
    "\u2028 line separator",
    "_x0041_ as typed",
]


@dataclass
class Cells:
    """One row whose every cell is the same text."""

    text: str
    number: int = -5


def table(name: str = "first") -> Table[Cells]:
    """A table of texts, with a header of one's own."""
    return Table(
        "cells",
        "For tests.",
        (
            Column(name, Type.STRING, "", lambda row: row.text),
            Column("number", Type.INTEGER, "", lambda row: row.number),
            Column("last", Type.STRING, "", lambda row: row.text),
        ),
        lambda chosen: iter(()),
    )


def written(form: str, texts: list[str], name: str = "first") -> list[dict[str, Any]]:
    chunks = FORMATS[form].write(table(name), map(Cells, texts), False)
    return READERS[form](b"".join(chunks))


@each("form", ["csv", "xlsx"])
@each("text", FORMULAS)
def test_no_cell_or_header_begins_like_a_formula(form, text):
    (row,) = written(form, [text], name=text)
    header = next(iter(row))
    for cell in (header, row[header], row["last"]):
        assert cell.startswith("'")
        assert unescape_formula(cell) == text
    assert float(row["number"]) == -5  # a number is no text


@each("text", FORMULAS)
def test_json_lines_have_them_as_they_were(text):
    assert written("jsonl", [text])[0]["first"] == text


@each("text", HARMLESS)
def test_other_cells_stay_as_they_are(text):
    assert escape_formula(text) == text


@given(st.text())
def test_defusing_can_be_undone(text):
    assert unescape_formula(escape_formula(text)) == text


@given(st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"]))))
def test_csv_comes_back_equal(texts):
    assert [unescape_formula(row["first"]) for row in written("csv", texts)] == texts


@given(st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"]))))
def test_json_lines_come_back_equal(texts):
    assert [row["first"] for row in written("jsonl", texts)] == [text or None for text in texts]


@each("form", FORMATS)
def test_words_come_back_equal_in_every_format(form):
    assert [unescape_formula(row["first"]) for row in written(form, WORDS)] == WORDS


@given(st.lists(st.sampled_from([*"\x0b\x0c\x85\u2028\u2029\0\x07\r\n \ud800"]), min_size=1))
def test_words_apart_stay_apart_in_every_format(between):
    text = normalised(f"loud{''.join(between)}heavy")
    for form in FORMATS:
        (row,) = written(form, [text])
        assert row["first"] == text
        assert re.findall("[a-z]+", row["first"]) == ["loud", "heavy"]
    assert re.findall("[a-z]+", clean(text)) == ["loud", "heavy"]


@each("form", FORMATS)
def test_a_lone_surrogate_breaks_nothing(form):
    assert written(form, ["a\ud800b"])[0]["first"] in ("a\\ud800b", "a\ud800b")


def test_csv_is_rfc_4180():
    content = b"".join(csv.write(table(), [Cells('a "b", c\nd')]))
    assert content == b'first,number,last\r\n"a ""b"", c\nd",-5,"a ""b"", c\nd"\r\n'


def test_the_byte_order_mark_is_there_when_asked_for():
    assert b"".join(csv.write(table(), [], True)).startswith(b"\xef\xbb\xbffirst,")
    assert csv_rows(b"".join(csv.write(table(), [Cells("ж")], True)))[0]["first"] == "ж"


def test_in_a_workbook_text_is_text_and_numbers_are_numbers():
    texts = ["=1+1", "http://example.org", "12", "-3"]
    content = b"".join(xlsx.write(table(), map(Cells, texts)))
    sheet = load_workbook(io.BytesIO(content)).worksheets[0]
    for row in sheet.iter_rows(2):
        assert [cell.data_type for cell in row] == ["s", "n", "s"]
        assert row[0].hyperlink is None


@pytest.mark.parametrize("letter", ["a", "👩", "=", "'"])
@pytest.mark.parametrize("length", [16_383, 16_384, 32_766, 32_767, 32_768, 100_000])
def test_a_long_text_goes_on_on_another_sheet(letter, length):
    text = letter * length
    (row,) = written("xlsx", [text])
    assert unescape_formula(row["first"]) == text
    assert row["first"] == row["last"]


def test_each_cell_of_a_long_text_fits():
    content = b"".join(xlsx.write(table(), [Cells("👩" * 40_000)]))
    for sheet in load_workbook(io.BytesIO(content)).worksheets:
        for row in sheet.iter_rows(values_only=True):
            assert all(len(str(cell).encode("utf-16-le")) // 2 <= 32_767 for cell in row)


def test_times_in_a_workbook_are_dates_in_utc():
    moment = datetime(2026, 3, 1, 11, 30, 5, 250_000, timezone(timedelta(hours=2)))
    times = Table("t", "", (Column("at", Type.DATETIME, "", lambda row: row),), lambda _: iter(()))
    content = b"".join(xlsx.write(times, [moment, None]))
    cell = load_workbook(io.BytesIO(content)).worksheets[0]["A2"]
    assert cell.is_date
    assert cell.value == datetime(2026, 3, 1, 9, 30, 5, 250_000)


def test_a_time_is_the_same_in_every_format():
    moment = datetime(2026, 3, 1, 9, 30, 5, 250_700, UTC)
    times = Table("t", "", (Column("at", Type.DATETIME, "", lambda row: row),), lambda _: iter(()))
    (row,) = csv_rows(b"".join(csv.write(times, [moment])))
    sheet = load_workbook(io.BytesIO(b"".join(xlsx.write(times, [moment])))).worksheets[0]
    assert row["at"] == "2026-03-01T09:30:05.250Z"
    assert sheet["A2"].value == datetime(2026, 3, 1, 9, 30, 5, 250_000)


def test_in_a_workbook_a_cell_without_a_text_is_empty():
    """A text of no characters would count as a value in Excel (COUNTA, ISBLANK)."""
    content = b"".join(xlsx.write(table(), [Cells("")]))
    sheet = load_workbook(io.BytesIO(content)).worksheets[0]
    assert [cell.value for cell in sheet[2]] == [None, -5, None]


def test_a_workbook_of_the_same_rows_is_the_same_bytes_whenever_it_is_made():
    book = load_workbook(io.BytesIO(b"".join(xlsx.write(table(), [Cells("one")]))))
    assert book.properties.created == book.properties.modified == datetime(1980, 1, 1)


def test_a_long_table_goes_on_on_another_sheet(monkeypatch):
    monkeypatch.setattr(xlsx, "MAX_ROWS", 4)
    rows = written("xlsx", [str(i) for i in range(10)])
    assert [row["first"] for row in rows] == [str(i) for i in range(10)]


def test_encoding_is_utf_8():
    assert encode_text("ж") == "ж".encode()


@given(st.text() | st.sampled_from(FORMULAS + HARMLESS))
def test_the_pattern_in_the_documents_undoes_it_too(text):
    pattern = re.search(r'^undo = r"(.+)"$', DOCUMENT.read_text(), re.MULTILINE).group(1)
    assert re.sub(pattern, r"\1", escape_formula(text)) == text


@pytest.mark.parametrize("text", ["<r>this & that</r>", "<r>red</r> or <r>blue</r>"])
def test_xlsx_takes_no_text_for_markup(text):
    assert written("xlsx", [text, "next"])[0]["first"] == text
