"""Turns the web addresses and phone numbers of a text into links.

A number that could be read in two ways stays text: no link is better than one to a wrong number.
"""

import re
import unicodedata
from collections.abc import Iterator

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

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


@register.filter
def contact_links(text: str) -> SafeString:
    return format_html_join("", "{}", ((part,) for part in _parts(text)))


def _parts(text: str) -> Iterator[str]:
    end = 0
    for match in FOUND.finditer(text):
        words = match["number"] or _whole_address(match["address"])
        if link := _phone_link(words) if match["number"] else _web_link(words):
            yield text[end : match.start()]
            yield link
            end = match.start() + len(words)
    yield text[end:]


def _whole_address(found: str) -> str:
    while found[-1] in AFTER or found.count(found[-1]) > found.count(
        BRACKETS.get(found[-1], found[-1])
    ):
        found = found[:-1]
    return found


def _web_link(address: str) -> str:
    scheme, _, rest = address.rpartition("://")
    if not rest.lower().removeprefix("www."):
        return ""
    return format_html('<a href="{}://{}" dir="ltr">{}</a>', scheme or "https", rest, address)


def _phone_link(number: str) -> str:
    dialled = number.replace("(0)", "")
    digits = "".join(str(unicodedata.digit(one)) for one in dialled if one.isdecimal())
    fewest = FEWEST if number.isdecimal() else FEWEST_IN_GROUPS
    if not fewest <= len(digits) <= MOST or YEARS.fullmatch(digits) or RANGE.search(number):
        return ""
    plus = "+" if number.startswith("+") else ""
    return format_html('<a href="tel:{}{}" dir="ltr">{}</a>', plus, digits, number)
