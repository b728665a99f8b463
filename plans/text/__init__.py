import re
import unicodedata
from collections.abc import Set

import regex

LINE_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")  # but the line feed
# Characters that break databases, YAML or displays; tab and line breaks are allowed.
UNFIT = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff\ud800-\udfff]")
BYTE_ORDER_MARK = "\ufeff"
# Unicode's own, and the blanks that it counts among symbols and formats.
_INVISIBLE = r"\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFC\U0001D159"
INVISIBLE = regex.compile(f"[{_INVISIBLE}]")
BLANK_ENDS = regex.compile(rf"^[\s{_INVISIBLE}]+|(?<![\s{_INVISIBLE}])[\s{_INVISIBLE}]+$")

NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")
TRANSLITERATION = str.maketrans(
    {
        **dict(zip("абвгдезийклмнопрстуфыэё", "abvgdeziiklmnoprstufyee", strict=True)),
        **{"ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch"},
        **{"ю": "yu", "я": "ya", "ъ": "", "ь": ""},
    }
)


def normalised(text: str) -> str:
    """Return NFC text that can be stored, with \\n for each line break.

    What can't be stored gives way to a space (controls) or U+FFFD, so that no words are joined.
    """
    return unicodedata.normalize("NFC", UNFIT.sub(_substitute, LINE_BREAKS.sub("\n", text)))


def _substitute(unfit: re.Match[str]) -> str:
    if unfit[0] == BYTE_ORDER_MARK:
        return ""  # nobody sees it
    return " " if unfit[0] < "\xa0" else "\ufffd"


def strip_blank(text: str) -> str:
    """Return the text from its first visible character to its last."""
    return BLANK_ENDS.sub("", text)


def tidy(text: str) -> str:
    """Return the text normalised, without the space around it; empty if nothing is visible."""
    clean = normalised(text).strip()
    return clean if strip_blank(clean) else ""


def tidy_lines(text: str) -> str:
    """Return the text without empty lines, each line single-spaced."""
    return "\n".join(" ".join(line.split()) for line in tidy(text).split("\n") if line.strip())


def shorten(text: str, most: int) -> str:
    """Return the text cut to so many characters, with an ellipsis."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def word_count(text: str) -> int:
    """Return the number of words as white space separates them."""
    return len(text.split())


def figures(text: str) -> Set[str]:
    """Return the numbers in the text, in their order, with a point for a comma."""
    return dict.fromkeys(number.replace(",", ".") for number in NUMBERS.findall(text)).keys()


def latin(text: str) -> str:
    return text.lower().translate(TRANSLITERATION)
