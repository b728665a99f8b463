"""What is in a product, in figures."""

from collections.abc import Callable
from typing import Any

Content = dict[str, Any]


def counts(content: Content) -> str:
    """A few words such as “12 statements, 30 quotes”; empty where there is nothing to count."""
    told = (f"{n} {what if n == 1 else many}" for n, what, many in _counted(content) if n)
    return ", ".join(told)


def _counted(content: Content) -> list[tuple[int, str, str]]:
    return next((count(content) for key, count in COUNTS.items() if content.get(key)), [])


def _statements(content: Content) -> list[tuple[int, str, str]]:
    told = [one for part in content["sections"] for one in part.get("statements", ())]
    quotes = sum(len(one.get("quotes", ())) for one in told)
    return [(len(told), "statement", "statements"), (quotes, "quote", "quotes")]


def _items(content: Content) -> list[tuple[int, str, str]]:
    return [(len(content["items"]), "question answered", "questions answered")]


def _report(content: Content) -> list[tuple[int, str, str]]:
    topics = content["report"].get("technical_review", {}).get("topics", ())
    return [(len(topics), "topic", "topics"), (len(content["findings"]), "finding", "findings")]


def _rows(content: Content) -> list[tuple[int, str, str]]:
    return [(len(content["rows"]), "row", "rows")]


def _topics(content: Content) -> list[tuple[int, str, str]]:
    return [(len(content["topics"]), "topic", "topics")]


def _ladders(content: Content) -> list[tuple[int, str, str]]:
    return [(len(content["ladders"]), "ladder", "ladders")]


COUNTS: dict[str, Callable[[Content], list[tuple[int, str, str]]]] = {  # by a key of the content
    "report": _report,
    "sections": _statements,
    "items": _items,
    "rows": _rows,
    "topics": _topics,
    "ladders": _ladders,
}
