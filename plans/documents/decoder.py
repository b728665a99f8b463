"""From bytes to text, in whichever encoding it was saved."""

import codecs
import unicodedata

from charset_normalizer import from_bytes

from plans.documents.problems import Reason, Unreadable
from plans.text import UNFIT

_MARKS = (  # the longer first: UTF-32's begins like UTF-16's
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OLDER = ["cp1251", "cp1252", "koi8_r", "cp866", "mac_roman", "shift_jis", "gb18030", "euc_kr"]
_SAMPLE = 64 * 1024
_MOST_UNFIT = 0.02  # of a text's characters; what has more is no text


def decode(content: bytes) -> str:
    """The text, with \\n at its lines' ends and nothing unfit. Raises Unreadable for no text."""
    raw = _decoded(content).replace("\r\n", "\n").replace("\r", "\n").replace("\x0c", "\n")
    text, unfit = UNFIT.subn("", raw)
    if unfit > 2 + _MOST_UNFIT * len(raw):
        raise Unreadable(Reason.UNKNOWN)
    return unicodedata.normalize("NFC", text)


def _decoded(content: bytes) -> str:
    encoding = _marked(content) or "utf-8"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            raise Unreadable(Reason.BROKEN) from error
        return _guessed(content)


def _marked(content: bytes) -> str | None:
    """By the mark at the beginning, or by the zeros of UTF-16 between Latin letters."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return encoding
    beginning = content[:400]
    even, odd = beginning[::2].count(0), beginning[1::2].count(0)
    if max(even, odd) * 4 > len(beginning) > 3 > min(even, odd):
        return "utf-16-be" if even > odd else "utf-16-le"
    return None


def _guessed(content: bytes) -> str:
    if b"\x00" in content[:_SAMPLE]:
        raise Unreadable(Reason.UNKNOWN)
    best = from_bytes(content[:_SAMPLE], cp_isolation=_OLDER).best()
    if best is None:
        raise Unreadable(Reason.UNKNOWN)
    return content.decode(best.encoding, errors="replace")
