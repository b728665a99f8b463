from plans.portability.problems import BrokenDocument, Problem, broken
from plans.text import UNFIT

LIMIT = 2 * 1024 * 1024
UTF16 = (b"\xff\xfe", b"\xfe\xff")
MOST_SHOWN = 20


def decode(content: bytes) -> str:
    """Return the text of a UTF-8 file, with or without a byte order mark.

    Raises BrokenDocument if the file is too large or in another encoding.
    """
    if len(content) > LIMIT:
        raise broken("The file is larger than 2 MB; a study takes far less. Is it the right one?")
    beginning = content[:400]
    if content.startswith(UTF16) or beginning.count(b"\x00") * 4 > len(beginning):
        raise broken("The file is not in UTF-8 (it looks like UTF-16). Save it as UTF-8.")
    try:
        return checked(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise broken(
            "This is not UTF-8 (perhaps an older encoding such as Windows-1251). "
            "Save the file as UTF-8.",
            line,
        ) from error


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
