"""Pages as the tests read them."""

import re

from django.http import HttpResponseBase

AS_WRITTEN = re.compile(r"(<(?:textarea|pre|script)\b.*?</(?:textarea|pre|script)>)", re.S)
BLOCK = "dd|div|dt|h1|h2|h3|legend|li|ol|p|section|summary|table|tbody|td|th|thead|tr|ul"


def markup(response: HttpResponseBase) -> str:
    """An HTML page on one line: how its templates are wrapped and indented makes no difference."""
    text = response.content.decode()
    if not response["Content-Type"].startswith("text/html"):
        return text
    parts = AS_WRITTEN.split(text)
    return "".join(part if AS_WRITTEN.match(part) else _joined(part) for part in parts)


def _joined(text: str) -> str:
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r" (/?>)", r"\1", text)
    text = re.sub(r"(<(?!mark)[a-z][^>]*>) | (?=</(?!mark))", r"\1", text)
    return re.sub(rf"(</(?:{BLOCK})>) (?=<)", r"\1", text)
