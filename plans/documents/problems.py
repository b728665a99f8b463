from enum import StrEnum

from plans.documents import limits


class Reason(StrEnum):
    EMPTY = "The file is empty."
    NO_TEXT = "There is no text in this file. Scanned pages need text recognition first."
    UNKNOWN = (
        "This kind of file can't be read here. "
        "Text, Markdown, CSV, Excel (.xlsx), Word (.docx), PDF and source code can."
    )
    OLD_OFFICE = "This is an older Office file. Save it as .docx or .xlsx."
    DISAGREE = "The name says one kind of file, but the content is another."
    ENCRYPTED = "The file is protected by a password. Save it without one."
    BROKEN = "The file is damaged or incomplete. Open it, save it again and try once more."
    UNSAFE = "The file holds XML declarations that documents have no need for."
    TOO_LARGE = (
        f"The file is too large. It may have {limits.BYTES // limits.MEGABYTE} MB, "
        f"and {limits.EXPANDED // limits.MEGABYTE} MB when it is unpacked."
    )
    TOO_LONG = f"There is too much text in this file: more than {limits.CHARACTERS:,} characters."
    TOO_MANY = (
        f"The file has too many parts. It may have {limits.PAGES:,} pages, "
        f"{limits.PARAGRAPHS:,} paragraphs or {limits.CELLS:,} filled cells."
    )
    TOO_SLOW = "Reading the file took too long or too much memory. Try a smaller one."


class Unreadable(Exception):
    """A document can't be read; the message is one or two sentences for a person."""

    def __init__(self, reason: Reason) -> None:
        self.reason = reason
        super().__init__(reason.value)
