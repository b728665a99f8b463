import re

from plans.portability.problems import BrokenDocument, Problem, broken
from plans.text import UNFIT

LIMIT = 2 * 1024 * 1024
WORD = re.compile(rb"[A-Za-z\x8a-\x9f\xa8\xb8\xc0-\xff]+")
FOREIGN = re.compile(rb"[\x80-\xff]+")
UTF16 = (b"\xff\xfe", b"\xfe\xff")
MOST_SHOWN = 20


def text_of(content: str | bytes) -> str:
    """Return the text of a file, or text that was pasted. Raises BrokenDocument if it is empty."""
    text = decode(content) if isinstance(content, bytes) else checked(content)
    if not text.strip():
        raise broken("There is nothing in it.")
    return text


def decode(content: bytes) -> str:
    """Return the text of a file in UTF-8, Windows-1252 or Windows-1251.

    Raises BrokenDocument if the file is too large or in another encoding.
    """
    if len(content) > LIMIT:
        raise broken("The file is larger than 2 MB; a study takes far less. Is it the right one?")
    beginning = content[:400]
    if content.startswith(UTF16) or beginning.count(b"\x00") * 4 > len(beginning):
        raise broken("The file is not in UTF-8 (it looks like UTF-16). Save it as UTF-8.")
    try:
        return checked(content.decode(encoding_of(content)))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise broken("The file’s encoding isn’t known. Save the file as UTF-8.", line) from error


def encoding_of(content: bytes) -> str:
    """Return utf-8-sig, or for older files cp1252 (Western Europe) or cp1251 (Cyrillic).

    Of Cyrillic words all letters are beyond ASCII, of Western European ones only a few.
    """
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError:
        words = [word for word in WORD.findall(content) if not word.isascii() and len(word) > 1]
        foreign = sum(FOREIGN.fullmatch(word) is not None for word in words)
        return "cp1251" if foreign * 2 > len(words) else "cp1252"
    return "utf-8-sig"


def checked(text: str) -> str:
    """Return the text with \\n line breaks. Raises BrokenDocument for control characters."""
    if len(text) > LIMIT:
        raise broken("The text is longer than 2 MB; a study takes far less. Is it the right one?")
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    found = [
        Problem(f"the character U+{ord(match.group()):04X} does not belong in a text", number)
        for number, line in enumerate(lines.split("\n"), 1)
        if (match := UNFIT.search(line))
    ]
    if found:
        raise BrokenDocument(found[:MOST_SHOWN])
    return lines
