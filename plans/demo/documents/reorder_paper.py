"""Which papers to order this week. Runs on Monday at six."""

import csv
import sys
from collections.abc import Iterable

SAFETY = 1.17  # do not change before the end of the year
BIG_PRESS_WASTE = 0.04
LEAD_DAYS = {"coated": 4, "uncoated": 3, "recycled": 9}
NEVER = {"R-90-BLUE"}  # still listed, see mail


def sheets_needed(rows: Iterable[dict[str, str]]) -> dict[str, int]:
    """Sheets to order for each paper, from the rows of the stock list."""
    needed = {}
    for row in rows:
        if row["paper"] in NEVER:
            continue
        weekly = int(row["used_in_4_weeks"]) / 4
        days = LEAD_DAYS.get(row["grade"], 5)
        target = weekly * (days + 7) / 5 * SAFETY * (1 + BIG_PRESS_WASTE)
        missing = target - int(row["in_stock"])
        if missing > 250:
            needed[row["paper"]] = round_up(missing)
    return needed


def round_up(sheets: float) -> int:
    """The supplier sells by the ream of 500; below three reams the freight is not worth it."""
    return max(1500, -(-int(sheets) // 500) * 500)


def main() -> None:
    """Reads the stock list from standard input and prints the order list."""
    for paper, sheets in sorted(sheets_needed(csv.DictReader(sys.stdin)).items()):
        print(f"{paper};{sheets}")


if __name__ == "__main__":
    main()
