"""Pages as a browser would send them back."""

import re
from html.parser import HTMLParser

from django.http import HttpResponse

from tests.pages import markup


class _Fields(HTMLParser):
    """Collects what the form with the given id (or the last one) would send."""

    def __init__(self) -> None:
        super().__init__()
        self.data: dict[str, list[str]] = {}
        self.area: str | None = None
        self.select: str | None = None
        self.skip = 0  # inside a row that is only a template

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        name = a.get("name")
        if tag == "textarea" and name:
            self.area, self.data[name] = name, [""]
        elif tag == "select" and name:
            self.select = name
            self.data.setdefault(name, [])
        elif tag == "option" and self.select and "selected" in a:
            self.data[self.select].append(a.get("value", ""))
        elif tag == "input" and name:
            self._input(name, a)

    def _input(self, name, a):
        kind = a.get("type", "text")
        if kind in ("checkbox", "radio"):
            if "checked" in a:
                self.data.setdefault(name, []).append(a.get("value", "on"))
        elif kind not in ("submit", "file", "button"):
            self.data[name] = [a.get("value", "")]

    def handle_endtag(self, tag):
        if tag == "textarea" and self.area:
            first = self.data[self.area][0]
            self.data[self.area] = [first.removeprefix("\n")]  # as browsers do
            self.area = None
        if tag == "select":
            self.select = None

    def handle_data(self, data):
        if self.area:
            self.data[self.area][0] += data


def form_of(response: HttpResponse) -> dict[str, list[str]]:
    """What pressing Save on the page would send, without rows that are only templates."""
    parser = _Fields()
    html = response.content.decode()
    parser.feed(html[html.index('id="content-main"') if 'id="content-main"' in html else 0 :])
    return {name: value for name, value in parser.data.items() if "__prefix__" not in name}


def words_of(response: HttpResponse) -> str:
    """The page without its tags, so that a link in a sentence makes no difference."""
    return " ".join(re.sub(r"<[^>]+>", "", response.content.decode()).split())


def text_of(response: HttpResponse) -> str:
    """The page's source."""
    return markup(response)
