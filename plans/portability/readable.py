"""A concept or methodology as plain data for comparing."""

from collections.abc import Mapping
from typing import Any

from plans.portability.formats import HEADS
from plans.portability.problems import BrokenDocument
from plans.portability.tree import read_json, read_yaml


def comparable_content(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content without its head and empty parts; parts with an id get key and label."""
    return {
        name: _comparable(value)
        for name, value in content.items()
        if name not in HEADS and value not in ((), [], {}, "")
    }


def comparable_source(source: str) -> dict[str, Any]:
    """Return the same for a file's text, with its comments; the raw text if it is broken."""
    try:
        tree = read_json(source) if source.lstrip().startswith("{") else read_yaml(source)
    except BrokenDocument:
        return {"text": source}
    if not isinstance(tree.data, Mapping):
        return {}
    return {**comparable_content(tree.data), **remarks(source)}


def remarks(source: str) -> dict[str, str]:
    lines = (line.strip() for line in source.split("\n"))
    return {"remarks": "\n".join(line for line in lines if line.startswith("#"))}


def _comparable(value: Any) -> Any:
    """Return every value as text, so that numbers are equal in YAML and JSON."""
    if isinstance(value, Mapping):
        return (
            _comparable_part(value)
            if "id" in value
            else {k: _comparable(v) for k, v in value.items()}
        )
    if isinstance(value, list | tuple):
        return [_comparable(one) for one in value]
    return "" if value is None else str(value)


def _comparable_part(part: Mapping[str, Any]) -> dict[str, Any]:
    label = part.get("label") or part.get("name") or part["id"]
    rest = {k: _comparable(v) for k, v in part.items() if k not in ("id", "label", "name")}
    return {"key": str(part["id"]), "label": label, **rest}
