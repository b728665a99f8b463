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
    sections = items_in(data, "sections")
    _fill_keys(sections, "title", "section", known, stored)
    for section in sections:
        _fill_keys(items_in(section, "questions"), "text", "q", known, stored)


def fill_bot_keys(data: dict[str, Any], topics: Mapping[str, str] | None = None) -> None:
    """Fill the keys of raw bot data: its scripts, topics, data fields and backlog.

    `topics` maps labels of stored topics to their keys.
    """
    for script in items_in(data, "scripts"):
        fill_keys(script)
    _fill_keys(items_in(data, "topics"), "label", "topic", topics, (topics or {}).values())
    _fill_keys(items_in(data, "data_fields"), "label", "field")
    fill_backlog_keys(items_in(data, "backlog"))


def fill_backlog_keys(questions: list[Any], known: Mapping[str, str] | None = None) -> None:
    """Fill the keys of raw backlog questions; `known` maps question texts to keys."""
    _fill_keys(questions, "question", "q", known, (known or {}).values(), make_own_key)


def items_in(data: Any, name: str) -> list[Any]:
    """Return a list in raw data; an empty one if that is something else."""
    items = data.get(name) if isinstance(data, dict) else None
    return items if isinstance(items, list) else []


def _fill_keys(
    items: list[Any],
    source: str,
    stem: str,
    known: Mapping[str, str] | None = None,
    stored: Iterable[str] = (),
    make: Maker | None = None,
) -> None:
    """Fill the keys that are missing: known ones, or new ones unlike those of `stored` rows."""
    if len(items) > MOST_ITEMS:
        return  # validation refuses it
    rows = [item for item in items if isinstance(item, dict)]
    given = {str(row["key"]) for row in rows if row.get("key")}
    taken = {*stored, *given}
    for row in rows:
        if row.get("key") in (None, ""):
            text = str(row.get(source) or "")
            key = (known or {}).get(" ".join(text.split()), "")
            if not key or key in given:
                key = (make or make_key)(text, taken, stem)
            row["key"] = key
            given.add(key)
            taken.add(key)


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
