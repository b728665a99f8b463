import codecs
import re

from charset_normalizer import from_bytes

from plans.documents.problems import Reason, Unreadable
from plans.text import UNFIT, normalised

_BYTE_ORDER_MARKS = (  # UTF-32 first: its mark begins like UTF-16's
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LEGACY = ["cp1251", "cp1252", "koi8_r", "cp866", "mac_roman", "shift_jis", "gb18030", "euc_kr"]
_SAMPLE = 64 * 1024
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_WHOLE = 20  # letters beyond ASCII for each damaged one, above which bytes are UTF-8
_MOST_UNFIT = 0.02  # share of control characters above which bytes are no text


def decode(content: bytes) -> str:
    """Return the text with \\n line endings and no control characters. Raise Unreadable."""
    raw = _decode_bytes(content)
    if len(UNFIT.findall(raw)) > 2 + _MOST_UNFIT * len(raw):
        raise Unreadable(Reason.UNKNOWN)
    return normalised(raw)


def _decode_bytes(content: bytes) -> str:
    encoding = _encoding_of(content) or "utf-8"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            raise Unreadable(Reason.BROKEN) from error
        return _decode_by_guess(content)


def _encoding_of(content: bytes) -> str | None:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return encoding
    beginning = content[:400]
    even, odd = beginning[::2].count(0), beginning[1::2].count(0)
    if max(even, odd) * 4 > len(beginning) > 3 > min(even, odd):
        return "utf-16-be" if even > odd else "utf-16-le"
    return None


def _decode_by_guess(content: bytes) -> str:
    if b"\x00" in content[:_SAMPLE]:
        raise Unreadable(Reason.UNKNOWN)
    text = content.decode("utf-8", errors="replace")
    damaged = text.count("\ufffd")
    if len(_BEYOND_ASCII.findall(text)) > (_WHOLE + 1) * damaged:
        return text
    best = from_bytes(content[:_SAMPLE], cp_isolation=_LEGACY).best()
    if best is None:
        raise Unreadable(Reason.UNKNOWN)
    return content.decode(best.encoding, errors="replace")
