"""A concept or a methodology as plain data that people can compare."""

from collections.abc import Mapping
from typing import Any

from plans.portability.problems import BrokenDocument
from plans.portability.tree import read_json, read_yaml

HEAD = ("format", "version")
REMARK = "#"


def told(content: Mapping[str, Any]) -> dict[str, Any]:
    """The content without its head; parts that have an id are called by it, or by their name."""
    kept = {name: value for name, value in content.items() if name not in HEAD}
    return {name: _named(value) for name, value in kept.items() if value not in ((), [], {}, "")}


def told_of(source: str) -> dict[str, Any]:
    """The same of a file's text, with its remarks; the text itself where it can't be read."""
    try:
        tree = read_json(source) if source.lstrip().startswith("{") else read_yaml(source)
    except BrokenDocument:
        return {"text": source}
    return {**told(tree.data), **remarks(source)} if isinstance(tree.data, Mapping) else {}


def remarks(source: str) -> dict[str, str]:
    """The lines of a file that nobody but its readers needs, under one name."""
    lines = (line.strip() for line in source.split("\n"))
    return {"remarks": "\n".join(line for line in lines if line.startswith(REMARK))}


def _named(value: Any) -> Any:
    """Every value as text, so that a number is the same in YAML and in JSON."""
    if isinstance(value, Mapping):
        return _part(value) if "id" in value else {k: _named(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_named(one) for one in value]
    return "" if value is None else str(value)


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    """Under its id, with the word that people know it by in front."""
    label = part.get("label") or part.get("name") or part["id"]
    rest = {k: _named(v) for k, v in part.items() if k not in ("id", "label", "name")}
    return {"key": str(part["id"]), "label": label, **rest}
