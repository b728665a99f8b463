"""What comes out of a good document of every kind, through the worker."""

from io import BytesIO

import docx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part

from plans.documents import Unit, read
from plans.documents.parser import parse
from tests.each import each
from tests.plans.documents.samples import GOOD, MARKDOWN, rewritten, workbook


def places(name: str, content: bytes) -> list[tuple[str, str]]:
    return [(part.place, part.text) for part in parse(name, content).parts]


@pytest.mark.parametrize("name", GOOD)
def test_the_worker_reads_what_this_process_would(name):
    assert read(name, BytesIO(GOOD[name])) == parse(name, GOOD[name])


def test_text_keeps_its_lines():
    assert places("notes.txt", GOOD["notes.txt"]) == [
        (
            "lines 1–3",
            "Orders above 500 go to the big press.\n\nWhy so is not written down anywhere.",
        )
    ]


def test_markdown_is_cut_at_headings_and_only_there():
    parts = parse("notes.md", MARKDOWN.encode()).parts

    assert [(p.title, p.first, p.last) for p in parts] == [
        ("", 1, 1),
        ("One", 3, 7),
        ("Two", 8, 11),
    ]


def test_code_keeps_its_indentation_and_is_cut_between_definitions():
    code = "".join(f"def f{i}():\n    x = {i}\n    return x\n\n\n" for i in range(40))
    parts = parse("many.py", code.encode()).parts

    assert len(parts) == 5
    assert all(part.text.startswith("def f") for part in parts)
    assert parts[1].place == "lines 41–78"
    assert "    return x" in parts[0].text


@each("delimiter", [",", ";", "\t", "|"])
def test_csv_finds_its_delimiter(delimiter):
    text = 'tier_price\nbasic_10\n\n"la_rge"_8\n'.replace("_", delimiter)
    mark = delimiter.replace("\t", " ")

    assert places("tiers.csv", text.encode()) == [
        ("A1:B4", f"A1: tier | B1: price\nA2: basic | B2: 10\nA4: la{mark}rge | B4: 8")
    ]


@each("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_every_unicode_encoding_reads_the_same(encoding):
    text = "Price list, à la carte; цена 15 €"

    assert places("t.txt", text.encode(encoding)) == [("line 1", text)]


@each(
    ("encoding", "text"),
    [
        ("cp1251", "Скидка для постоянных клиентов не записана, её знают только двое."),
        ("koi8_r", "Скидка для постоянных клиентов не записана, её знают только двое."),
        ("cp1252", "La soglia è cambiata perché così costa di più; già l'anno scorso però."),
    ],
)
def test_older_encodings_are_recognised(encoding, text):
    assert places("t.txt", (text * 3).encode(encoding)) == [("line 1", text * 3)]


def test_a_workbook_shows_formulas_beside_values_and_marks_hidden_sheets():
    assert places("prices.xlsx", GOOD["prices.xlsx"]) == [
        ("“Prices”, A1:B3", "A1: 1 | B1: a\nA2: x | B2: 2.5\nA3: =A1*2 → 2"),
        ("“Secret”, A3:B3, hidden", "B3: kept aside"),
    ]


def test_formulas_are_text_and_are_not_calculated():
    content = workbook(formula='=HYPERLINK("http://127.0.0.1:9/")')

    assert '=HYPERLINK("http://127.0.0.1:9/") → 2' in places("p.xlsx", content)[0][1]


def test_word_has_sections_tables_and_comments():
    assert places("process.docx", GOOD["process.docx"]) == [
        ("the beginning", "Before any heading."),
        ("“Refunds”", "Refunds\nRefunds above 300 need a signature.\nCase | Limit\nSmall | 50"),
        ("“Empty”", "Empty"),
        ("“Comments”", "Reader: Whose?"),
    ]


def test_pdf_has_pages():
    document = parse("manual.pdf", GOOD["manual.pdf"])

    assert [(p.unit, p.place, p.text) for p in document.parts] == [
        (Unit.PAGE, "page 1", "Page one says 42."),
        (Unit.PAGE, "page 2", "Page two says why."),
    ]


def test_a_long_part_is_cut_into_pieces_of_the_same_place():
    document = parse("long.txt", b"x" * 20_000)

    assert [len(part.text) for part in document.parts] == [8000, 8000, 4000]
    assert {part.place for part in document.parts} == {"line 1"}


def test_word_is_read_with_its_tracked_changes_and_content_controls():
    added = (
        '<w:p><w:r><w:t xml:space="preserve">Refunds above </w:t></w:r>'
        '<w:del w:id="91" w:author="A"><w:r><w:delText>300</w:delText></w:r></w:del>'
        '<w:ins w:id="92" w:author="A"><w:r><w:t>500</w:t></w:r></w:ins>'
        '<w:r><w:t xml:space="preserve"> go to Anna.</w:t></w:r></w:p>'
        "<w:sdt><w:sdtContent><w:p><w:r><w:t>From a template.</w:t></w:r></w:p>"
        "</w:sdtContent></w:sdt>"
    )
    change = {"word/document.xml": lambda xml: xml.replace("<w:body>", f"<w:body>{added}")}
    content = rewritten(GOOD["process.docx"], change)

    assert places("process.docx", content)[0] == (
        "the beginning",
        "Refunds above 500 go to Anna.\nFrom a template.\nBefore any heading.",
    )


def box(*lines: str) -> str:
    """A paragraph with a text box as Word writes it: for new readers, and again for old ones."""
    said = "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in lines)
    content = f"<w:txbxContent>{said}</w:txbxContent>"
    return (
        "<w:p><w:r><w:t>Beside a box.</w:t></w:r><w:r>"
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        f'<mc:Choice Requires="wps"><w:drawing>{content}</w:drawing></mc:Choice>'
        f"<mc:Fallback><w:pict>{content}</w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r></w:p>"
    )


def test_word_is_read_with_its_text_boxes_each_once():
    added = (
        box("Above 500,", "ask Anna.")
        + f"<w:tbl><w:tr><w:tc>{box('In a cell.')}</w:tc></w:tr></w:tbl>"
        + "<w:p><w:r><w:pict><w:txbxContent><w:p><w:r><w:t>An old box.</w:t></w:r></w:p>"
        "</w:txbxContent></w:pict></w:r></w:p>"
    )
    change = {"word/document.xml": lambda xml: xml.replace("<w:body>", f"<w:body>{added}")}
    content = rewritten(GOOD["process.docx"], change)

    assert places("process.docx", content)[0][1].split("\n") == [
        *("Beside a box.", "Above 500,", "ask Anna."),
        "Beside a box. In a cell.",
        *("", "An old box.", "Before any heading."),
    ]


def test_word_is_read_with_its_headers_footers_and_footnotes():
    document = docx.Document()
    document.add_paragraph("The text.")
    for section in (document.sections[0], document.add_section()):
        section.header.is_linked_to_previous = False
        section.header.paragraphs[0].text = "Draft of May"
        section.footer.is_linked_to_previous = False
        section.footer.paragraphs[0].text = "Ask Anna"
    notes = (
        f'<w:footnotes xmlns:w="{docx.oxml.ns.nsmap["w"]}"><w:footnote w:id="1"><w:p><w:r>'
        "<w:t>Since 2019.</w:t></w:r></w:p></w:footnote></w:footnotes>"
    )
    part = Part(PackURI("/word/footnotes.xml"), "application/xml", notes.encode())
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    saved = BytesIO()
    document.save(saved)

    assert places("a.docx", saved.getvalue()) == [
        ("the beginning", "The text."),
        ("“Headers”", "Draft of May"),
        ("“Footers”", "Ask Anna"),
        ("“Footnotes”", "Since 2019."),
    ]


def test_unicode_that_is_cut_within_a_letter_stays_unicode():
    text = "Скидка для постоянных клиентов не записана, её знают только двое. " * 3
    [(_, found)] = places("t.txt", (text + "я").encode()[:-1])
    assert found.startswith(text.strip())
