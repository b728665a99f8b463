from io import BytesIO

from pypdf import PdfReader

from plans.documents.limits import PAGES
from plans.documents.problems import Reason, Unreadable
from plans.documents.types import Parts, Unit
from plans.text import tidy


def pdf_parts(content: bytes) -> Parts:
    reader = PdfReader(BytesIO(content))
    if reader.is_encrypted and not reader.decrypt(""):  # many open without a password
        raise Unreadable(Reason.ENCRYPTED)
    if len(reader.pages) > PAGES:
        raise Unreadable(Reason.TOO_MANY)
    parts = Parts()
    for number, page in enumerate(reader.pages, 1):
        parts.add(Unit.PAGE, tidy(page.extract_text()), first=number, last=number)
    return parts
