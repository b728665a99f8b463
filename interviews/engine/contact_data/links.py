"""Web addresses and phone numbers in a text, as links.

A number that could be read in two ways stays text: no link is better than one to a wrong number.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

SPACE = "[ \u00a0\u202f]"
DASH = "[-\u2011]"
HOURS = "h|hrs?|hours?|am|pm|uhr|std|stunden|ore|час\\w*|heures?|horas?|ساعة"
DAYS = "days?|tage?n?|giorni|дн\\w+|días|jours|أيام|يوم\\w*"
ALL_DAY = rf"24(?:{SPACE}?/{SPACE}?7|{SPACE}?{DASH}?(?:{HOURS})\b)"
FOUND = re.compile(
    rf"""
    (?P<address>
        (?:https?://|(?<![\w@./-])www\.) [^\s<>"«»“”]+
        | (?<![\w@./-]) (?:[a-z0-9][a-z0-9-]+\.)+ (?-i:com|org|net|info|eu|[a-z]{{2}})
          (?![\w@-]|\.\w) (?:/[^\s<>"«»“”]*)?
    )
    | (?P<number>
        (?<![\w@/=#+]) (?<!\d[ \u00a0\u202f.,:\u2011–-]) (?<!\w[.\u2011-]) (?!{ALL_DAY})
        (?>
            (?: \+\d{{1,3}} {SPACE}? (?:\(0\) {SPACE}?)? {DASH}?  # +49 (0)
            | \(\d{{2,5}}\) {SPACE}?                              # (040)
            | 0\d+ {SPACE}? / {SPACE}?                            # 0800 /
            )?
            \d+ (?: (?:\.\d+)+ | (?:{DASH}\d+)+ | (?:{SPACE}(?!{ALL_DAY})\d+)+ (?:{DASH}\d+)? )?
        )
        (?! [\w@] | [.,:/\u2011–-]\d | {SPACE}?[%€$£] | {SPACE}?(?:{HOURS}|{DAYS})\b )
        (?! (?<={SPACE}\d) {SPACE}[^\W\d] )                       # "116 123 7 times"
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
AFTER = ".,;:!?…'’*_"  # what follows an address and is no part of it
BRACKETS = {")": "(", "]": "["}
RANGE = re.compile(rf"{SPACE}\d{{1,2}}{DASH}\d{{1,2}}$")  # "116 123 8-20"
YEARS = re.compile(r"(?:19|20)\d\d|365")
FEWEST, FEWEST_IN_GROUPS, MOST = 3, 6, 15  # digits


class ContactLink(NamedTuple):
    start: int
    end: int
    href: str


def links(text: str) -> Iterator[ContactLink]:
    for match in FOUND.finditer(text):
        words = match["number"] or _whole_address(match["address"])
        if href := _phone_link(words) if match["number"] else _web_link(words):
            yield ContactLink(match.start(), match.start() + len(words), href)


def _whole_address(found: str) -> str:
    while found[-1] in AFTER or found.count(found[-1]) > found.count(
        BRACKETS.get(found[-1], found[-1])
    ):
        found = found[:-1]
    return found


def _web_link(address: str) -> str:
    scheme, _, rest = address.rpartition("://")
    return f"{scheme or 'https'}://{rest}" if rest.lower().removeprefix("www.") else ""


def _phone_link(number: str) -> str:
    dialled = number.replace("(0)", "")
    digits = "".join(str(unicodedata.digit(one)) for one in dialled if one.isdecimal())
    fewest = FEWEST if number.isdecimal() else FEWEST_IN_GROUPS
    if not fewest <= len(digits) <= MOST or YEARS.fullmatch(digits) or RANGE.search(number):
        return ""
    return f"tel:{'+' if number.startswith('+') else ''}{digits}"
