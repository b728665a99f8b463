"""Makes the demo's price workbook: `python -m tests.plans.documents.demo_workbook`."""

from datetime import datetime
from pathlib import Path

from xlsxwriter import Workbook

from plans.demo.loader import HERE

TARGET = HERE / "documents" / "prices.xlsx"

TIERS = ((1, 0.42), (500, 0.31), (2000, 0.19), (10000, 0.145))
OVERRIDES = (
    ("C-014", 0.12, "framework agreement, offers valid for 45 days"),
    ("C-027", 0.08, "framework agreement"),
    ("C-031", 0.20, "as before"),
)


def make(target: Path) -> None:
    """Writes the workbook, with the values that its formulas have."""
    with Workbook(target) as book:
        book.set_properties({"title": "Prices", "created": datetime(2024, 1, 1)})
        _prices(book.add_worksheet("Prices"))
        _offer(book.add_worksheet("Offer"))
        hidden = book.add_worksheet("Overrides")
        hidden.write_row(0, 0, ("Customer", "Discount", "Why"))
        for row, override in enumerate(OVERRIDES, 1):
            hidden.write_row(row, 0, override)
        hidden.hide()


def _prices(sheet) -> None:
    sheet.write_row(0, 0, ("From sheets", "Price per sheet, €"))
    for row, tier in enumerate(TIERS, 1):
        sheet.write_row(row, 0, tier)
    sheet.write_row(6, 0, ("Rush factor", 1.35))
    sheet.write_row(7, 0, ("Smallest order, €", 48))
    sheet.write_row(8, 0, ("Second look from, €", 5000))
    sheet.write_row(9, 0, ("Correction", 0.985, "since the spring"))


def _offer(sheet) -> None:
    sheet.write_row(0, 0, ("Sheets", 2400))
    sheet.write_row(1, 0, ("Rush (1 = yes)", 0))
    sheet.write_row(2, 0, ("Customer", "C-027"))
    sheet.write(3, 0, "Price per sheet")
    sheet.write_formula("B4", "=LOOKUP(B1,Prices!A2:A5,Prices!B2:B5)*Prices!B10", None, 0.18715)
    sheet.write(4, 0, "Discount")
    sheet.write_formula("B5", "=IFERROR(VLOOKUP(B3,Overrides!A2:B4,2,FALSE),0)", None, 0.08)
    sheet.write(5, 0, "Offer, €")
    sheet.write_formula("B6", "=MAX(Prices!B8,B1*B4*(1-B5)*IF(B2=1,Prices!B7,1))", None, 413.2272)


if __name__ == "__main__":
    make(TARGET)
