"""A concept or methodology as plain data for comparing."""

from collections.abc import Mapping
from typing import Any

import yaml

from plans.portability.formats import HEADS
from plans.portability.problems import BrokenDocument
from plans.portability.tree import is_json, read_json, read_yaml

QUOTES = ('"', "'")


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
        tree = read_json(source) if is_json(source) else read_yaml(source)
    except BrokenDocument:
        return {"text": source}
    if not isinstance(tree.data, Mapping):
        return {}
    return {**comparable_content(tree.data), **remarks(source)}


def remarks(source: str) -> dict[str, str]:
    """Return the lines of a YAML file that are comments; none of those inside of a text."""
    if is_json(source):
        return {"remarks": ""}
    texts = set[int]()
    for token in yaml.scan(source):
        if isinstance(token, yaml.ScalarToken):
            texts |= {
                *range(token.start_mark.line + 1, token.end_mark.line + (token.style in QUOTES))
            }
    lines = [line.strip() for n, line in enumerate(source.split("\n")) if n not in texts]
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
