from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from django.utils.text import slugify

from plans.models.knowledge import MADE_IN_INTERVIEWS
from plans.portability.documents import MOST_ITEMS
from plans.text import latin

LONGEST = 40
Maker = Callable[[str, Collection[str], str], str]


def fill_keys(
    data: Any, known: Mapping[str, str] | None = None, stored: Collection[str] = ()
) -> None:
    """Give every section and question of raw script data a key, in place, if it has none.

    `known` maps titles and texts of stored rows to their keys. No other row gets one of the
    `stored` keys, or it would take the place of the row that has it.
    """
    if not isinstance(data, dict) or not isinstance(data.get("sections"), list):
        return
    _take_known(data["sections"], "title", known)
    _fill_keys(data["sections"], "title", "section", stored)
    for section in data["sections"]:
        if isinstance(section, dict) and isinstance(section.get("questions"), list):
            _take_known(section["questions"], "text", known)
            _fill_keys(section["questions"], "text", "q", stored)


def fill_bot_keys(data: dict[str, Any], topics: Mapping[str, str] | None = None) -> None:
    """Fill the keys of raw bot data: its scripts, topics, data fields and backlog.

    `topics` maps labels of stored topics to their keys.
    """
    if isinstance(data.get("topics"), list):
        _take_known(data["topics"], "label", topics)
    scripts = data.get("scripts")
    for script in scripts if isinstance(scripts, list) else []:
        fill_keys(script)
    for name, stem in (("topics", "topic"), ("data_fields", "field")):
        if isinstance(data.get(name), list):
            stored = (topics or {}).values() if name == "topics" else ()
            _fill_keys(data[name], "label", stem, stored)
    fill_backlog_keys(data.get("backlog"))


def fill_backlog_keys(questions: Any, known: Mapping[str, str] | None = None) -> None:
    """Fill the keys of raw backlog questions; `known` maps question texts to keys."""
    if isinstance(questions, list):
        _take_known(questions, "question", known)
        _fill_keys(questions, "question", "q", (known or {}).values(), make_own_key)


def _take_known(items: list[Any], source: str, known: Mapping[str, str] | None) -> None:
    taken = {str(row["key"]) for row in items if isinstance(row, dict) and row.get("key")}
    for row in items:
        if isinstance(row, dict) and not row.get("key"):
            key = (known or {}).get(" ".join(str(row.get(source)).split()))
            if key and key not in taken:
                row["key"] = key
                taken.add(key)


def _fill_keys(
    items: list[Any], source: str, stem: str, stored: Iterable[str] = (), make: Maker | None = None
) -> None:
    """Fill the keys that are missing, none of them like one of the `stored` rows."""
    if len(items) > MOST_ITEMS:
        return  # validation refuses it
    rows = [item for item in items if isinstance(item, dict)]
    taken = {*stored, *(str(row["key"]) for row in rows if row.get("key"))}
    for row in rows:
        if row.get("key") in (None, ""):
            row["key"] = (make or make_key)(str(row.get(source) or ""), taken, stem)
            taken.add(row["key"])


def make_key(text: str, taken: Collection[str], stem: str = "q") -> str:
    """Return a slug of the text's first words, else stem-001 and so on, that is not taken."""
    base = slugify(latin(text))[:LONGEST].rsplit("-", 1 if len(text) > LONGEST else 0)[0]
    if base and base not in taken:
        return base
    numbers = range(1 if not base else 2, len(taken) + 3)
    names = (f"{base}-{n}" if base else f"{stem}-{n:03}" for n in numbers)
    return next(name for name in names if name not in taken)


def make_own_key(text: str, taken: Collection[str], stem: str = "q") -> str:
    """Like `make_key`, but never like the key of a question added in an interview."""
    key = make_key(text, taken, stem)
    return make_key(f"{stem} {text}", taken, stem) if key.startswith(MADE_IN_INTERVIEWS) else key
