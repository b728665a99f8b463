"""What changed between two states of some material, so that a person can read it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

Kind = Literal["added", "changed", "removed", "moved"]
WORD = re.compile(r"\s+|\S+")
MOST_WORDS = 4000
TONES = {"added": "success", "removed": "danger", "changed": "info"}
Run = tuple[Literal["same", "gone", "new"], str]


@dataclass(frozen=True)
class Difference:
    """One change: where it is, and what stood there before and after."""

    kind: Kind
    path: tuple[str, ...]
    before: str = ""
    after: str = ""

    @property
    def runs(self) -> list[Run]:
        """The text in pieces that stayed, went or came, word by word."""
        return word_runs(self.before, self.after)

    @property
    def tone(self) -> str:
        """The theme's name for the colour of its badge."""
        return TONES.get(self.kind, "")

    @property
    def place(self) -> str:
        return " › ".join(part.replace("_", " ") for part in self.path if part != "material")


def differences(before: Any, after: Any, path: tuple[str, ...] = ()) -> list[Difference]:
    """All changes between two values made of mappings, lists and scalars.

    Lists whose items have a `key` are compared by it, whatever their order.
    """
    return list(_compare(before, after, path))


def _compare(before: Any, after: Any, path: tuple[str, ...]) -> Iterator[Difference]:
    if before == after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _mappings(before, after, path)
    elif _keyed(before) and _keyed(after):
        yield from _items(_by_key(before), _by_key(after), path)
        yield from _order(before, after, path)
    else:
        yield Difference(_kind(before, after), path, said(before), said(after))


def _kind(before: Any, after: Any) -> Kind:
    if before in (None, "", [], {}, ()):
        return "added"
    return "removed" if after in (None, "", [], {}, ()) else "changed"


def _mappings(
    before: Mapping[str, Any], after: Mapping[str, Any], path: tuple[str, ...]
) -> Iterator[Difference]:
    names = [*after, *(name for name in before if name not in after)]
    for name in names:
        yield from _compare(before.get(name), after.get(name), (*path, str(name)))


def _items(
    before: Mapping[str, Any], after: Mapping[str, Any], path: tuple[str, ...]
) -> Iterator[Difference]:
    """Things found by their keys and called by their labels, where they have one."""
    for key in [*after, *(key for key in before if key not in after)]:
        item = after.get(key) or before[key]
        called = str(item.get("label") or key)
        yield from _compare(before.get(key), after.get(key), (*path, called))


def _keyed(value: Any) -> bool:
    """Whether it is a list of things that have a key (an empty list may be one)."""
    return isinstance(value, list | tuple) and all(
        isinstance(item, Mapping) and "key" in item for item in value
    )


def _by_key(items: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    return {_identity(item): item for item in items}


def _identity(item: Mapping[str, Any]) -> str:
    return f"{item['section']} › {item['key']}" if "section" in item else str(item["key"])


def _order(
    before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]], path: tuple[str, ...]
) -> Iterator[Difference]:
    old, new = [_identity(i) for i in before], [_identity(i) for i in after]
    kept = set(old) & set(new)
    was, now = [i for i in old if i in kept], [i for i in new if i in kept]
    if was != now:
        yield Difference("moved", (*path, "order"), ", ".join(was), ", ".join(now))


def said(value: Any) -> str:
    """A value in words: an item by its texts, a list by its parts."""
    if isinstance(value, Mapping):
        parts = (said(part) for name, part in value.items() if name not in ("key", "section"))
        return "\n".join(part for part in parts if part)
    if isinstance(value, list | tuple):
        return "\n".join(said(part) for part in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def word_runs(before: str, after: str) -> list[Run]:
    """Both texts as one sequence of runs that stayed, went or came."""
    old, new = _words(before), _words(after)
    runs: list[Run] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes():
        if tag == "equal":
            runs.append(("same", "".join(old[a:b])))
            continue
        runs += [("gone", "".join(old[a:b]))] if b > a else []
        runs += [("new", "".join(new[c:d]))] if d > c else []
    return runs


def _words(text: str) -> list[str]:
    """Words and the space between them; a text too long to compare quickly stays whole."""
    words = WORD.findall(text)
    return words if len(words) <= MOST_WORDS else [text]
