import re
import unicodedata
from collections.abc import Set

# Characters that break databases, YAML or displays; tab and line feed are allowed.
UNFIT = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]"
)

NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")
TRANSLITERATION = str.maketrans(
    {
        **dict(zip("абвгдезийклмнопрстуфыэё", "abvgdeziiklmnoprstufyee", strict=True)),
        **{"ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch"},
        **{"ю": "yu", "я": "ya", "ъ": "", "ь": ""},
    }
)


def tidy(text: str) -> str:
    """Normalise: NFC, line breaks as \\n, no control characters, no space around it."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return unicodedata.normalize("NFC", UNFIT.sub("", lines)).strip()


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
