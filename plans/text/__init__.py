"""How written material is tidied before it is kept."""

import re
import unicodedata

# What no text needs and what databases, YAML or readers stumble over; tab and line feed may stay.
UNFIT = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]"
)

TRANSLITERATION = str.maketrans(
    {
        **dict(zip("абвгдезийклмнопрстуфыэё", "abvgdeziiklmnoprstufyee", strict=True)),
        **{"ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch"},
        **{"ю": "yu", "я": "ya", "ъ": "", "ь": ""},
    }
)


def tidy(text: str) -> str:
    """One form for what reads the same: NFC, line breaks as \\n, nothing unfit, no outer space."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return unicodedata.normalize("NFC", UNFIT.sub("", lines)).strip()


def latin(text: str) -> str:
    """Lower case, with Cyrillic letters in Latin ones."""
    return text.lower().translate(TRANSLITERATION)
