import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

Kind = Literal["added", "changed", "removed", "moved"]
WORD = re.compile(r"\s+|\S+")
MOST_WORDS = 4000
TONES = {"added": "success", "removed": "danger", "changed": "info"}
EMPTY: tuple[Any, ...] = (None, "", [], {}, ())
Run = tuple[Literal["same", "gone", "new"], str]


@dataclass(frozen=True)
class Difference:
    """One change: its path, and the text before and after."""

    kind: Kind
    path: tuple[str, ...]
    before: str = ""
    after: str = ""

    @property
    def runs(self) -> list[Run]:
        return word_runs(self.before, self.after)

    @property
    def tone(self) -> str:
        return TONES.get(self.kind, "")

    @property
    def place(self) -> str:
        return " › ".join(part.replace("_", " ") for part in self.path if part != "material")


def differences(before: Any, after: Any) -> list[Difference]:
    """Return all changes between two values made of mappings, lists and scalars.

    Lists whose items have a `key` are compared by it, whatever their order.
    """
    return list(_compare(before, after, ()))


def _compare(before: Any, after: Any, path: tuple[str, ...]) -> Iterator[Difference]:
    if before == after or (before in EMPTY and after in EMPTY):
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        yield from _compare_parts(before, after, path, labelled=False)
    elif _is_keyed_list(before) and _is_keyed_list(after):
        old, new = [_item_name(item) for item in before], [_item_name(item) for item in after]
        items = (dict(zip(old, before, strict=True)), dict(zip(new, after, strict=True)))
        yield from _compare_parts(*items, path, labelled=True)
        yield from _compare_order(old, new, path)
    else:
        yield Difference(_kind(before, after), path, as_text(before), as_text(after))


def _kind(before: Any, after: Any) -> Kind:
    if before in EMPTY:
        return "added"
    return "removed" if after in EMPTY else "changed"


def _compare_parts(
    before: Mapping[str, Any], after: Mapping[str, Any], path: tuple[str, ...], labelled: bool
) -> Iterator[Difference]:
    """Compare what has the same name; `labelled` parts are called by their label, if any."""
    for name in {**after, **before}:
        label = labelled and (after.get(name) or before[name]).get("label")
        yield from _compare(before.get(name), after.get(name), (*path, str(label or name)))


def _is_keyed_list(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(item, Mapping) and "key" in item for item in value
    )


def _item_name(item: Mapping[str, Any]) -> str:
    return f"{item['section']} › {item['key']}" if "section" in item else str(item["key"])


def _compare_order(
    before: Sequence[str], after: Sequence[str], path: tuple[str, ...]
) -> Iterator[Difference]:
    old = [name for name in before if name in after]
    new = [name for name in after if name in before]
    if old != new:
        yield Difference("moved", (*path, "order"), ", ".join(old), ", ".join(new))


def as_text(value: Any) -> str:
    """Return a value as text: a mapping by its values, a list one item a line."""
    if isinstance(value, Mapping):
        parts = (as_text(part) for name, part in value.items() if name not in ("key", "section"))
        return "\n".join(part for part in parts if part)
    if isinstance(value, list | tuple):
        return "\n".join(as_text(part) for part in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def word_runs(before: str, after: str) -> list[Run]:
    """Return a word diff: runs of text that stayed, went or came."""
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
    """Return words and spaces; a text too long to compare quickly stays whole."""
    words = WORD.findall(text)
    return words if len(words) <= MOST_WORDS else [text]
