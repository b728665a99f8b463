"""Small documents of every kind, good ones and others."""

from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import docx
import xlsxwriter
from pypdf import PdfWriter

PROSE = "Orders above 500 go to the big press.\n\nWhy so is not written down anywhere.\n"
MARKDOWN = "before\n\n# One\ntext\n```\n# no heading\n```\nTwo\n---\n> # quoted\nmore\n"
CODE = "import sys\n\nLIMIT = 17\n\n\ndef run():\n    return LIMIT\n"
TABLE = "tier;price\nbasic;0,10\n\nlarge;0,08\n"


def workbook(rows=((1, "a"), ("x", 2.5)), formula="=A1*2", hidden=True) -> bytes:
    target = BytesIO()
    with xlsxwriter.Workbook(target, {"in_memory": True}) as book:
        sheet = book.add_worksheet("Prices")
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
        if formula:
            sheet.write_formula(len(rows), 0, formula, None, 2)
        if hidden:
            book.add_worksheet("Secret").write("B3", "kept aside")
            book.worksheets()[1].hide()
    return target.getvalue()


def word() -> bytes:
    document = docx.Document()
    document.add_paragraph("Before any heading.")
    document.add_heading("Refunds", 1)
    noted = document.add_paragraph("Refunds above 300 need a signature.")
    document.add_comment(noted.runs, text="Whose?", author="Reader")
    table = document.add_table(2, 2)
    for row, words in zip(table.rows, (("Case", "Limit"), ("Small", "50")), strict=True):
        for cell, word_ in zip(row.cells, words, strict=True):
            cell.text = word_
    document.add_heading("Empty", 2)
    target = BytesIO()
    document.save(target)
    return target.getvalue()


def pdf(*pages: str) -> bytes:
    """A PDF with a line of text on each page, written by hand."""
    pages = pages or ("Page one says 42.", "Page two says why.")
    numbers = [4 + 2 * i for i in range(len(pages))]
    kids = " ".join(f"{n} 0 R" for n in numbers)
    objects = {
        1: "<< /Type /Catalog /Pages 2 0 R >>",
        2: f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    }
    for number, text in zip(numbers, pages, strict=True):
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET"
        objects[number] = (
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {number + 1} 0 R >>"
        )
        objects[number + 1] = f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream"
    return assembled(objects)


def assembled(objects: dict[int, str], beginning: str = "%PDF-1.4\n") -> bytes:
    """Objects as a PDF with its table of references."""
    body, places = beginning.encode(), {}
    for number, text in sorted(objects.items()):
        places[number] = len(body)
        body += f"{number} 0 obj\n{text}\nendobj\n".encode()
    size = max(objects) + 1
    rows = "".join(f"{places.get(n, 0):010d} 00000 n \n" for n in range(1, size))
    table = f"xref\n0 {size}\n0000000000 65535 f \n{rows}"
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF\n"
    return body + (table + trailer).encode()


def protected_pdf(password: str) -> bytes:
    writer = PdfWriter(clone_from=BytesIO(pdf()))
    writer.encrypt(password, owner_password="owner", algorithm="AES-256")
    target = BytesIO()
    writer.write(target)
    return target.getvalue()


def rewritten(container: bytes, members: dict) -> bytes:
    """A container with members replaced or added; a function gets the text that was there."""
    target = BytesIO()
    with ZipFile(BytesIO(container)) as old, ZipFile(target, "w", ZIP_DEFLATED) as new:
        for name in {*old.namelist(), *members}:
            there = old.read(name) if name in old.namelist() else b""
            what = members.get(name, there)
            new.writestr(name, what(there.decode()) if callable(what) else what)
    return target.getvalue()


GOOD = {
    "notes.txt": PROSE.encode(),
    "notes.md": MARKDOWN.encode(),
    "run.py": CODE.encode(),
    "tiers.csv": TABLE.encode(),
    "prices.xlsx": workbook(),
    "process.docx": word(),
    "manual.pdf": pdf(),
}
