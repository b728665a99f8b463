"""Changes to parts of a file's text, which leave the rest as it was written, comments included."""

import io
import json
from collections.abc import Callable, MutableMapping, MutableSequence
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString
from ruamel.yaml.util import load_yaml_guess_indent

from plans.portability.tree import Loc, is_json


def edit_text(source: str, edit: Callable[[Any], None]) -> str:
    """Return the text after `edit` has changed its data. Raises YAMLError if that can't be read."""
    if is_json(source):
        data = json.loads(source)
        edit(data)
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    yaml, text = YAML(), io.StringIO()
    yaml.preserve_quotes, yaml.width = True, 4096
    data, indent, offset = load_yaml_guess_indent(source, yaml=yaml)
    edit(data)
    yaml.indent(mapping=2, sequence=indent or 4, offset=offset or 0)
    yaml.dump(data, text)
    return text.getvalue()


def put(data: Any, loc: Loc, value: Any) -> None:
    """Set the value at a location, or remove an empty one."""
    *parents, last = loc
    for name in parents:
        data = data.setdefault(name, {}) if isinstance(data, MutableMapping) else data[name]
    here = data.get(last) if isinstance(data, MutableMapping) else None
    if value in ("", [], {}):
        data.pop(last, None)
    elif isinstance(here, MutableMapping) and isinstance(value, dict):
        for name in {**here, **value}:
            put(here, (name,), value.get(name, ""))
    elif isinstance(here, MutableSequence) and isinstance(value, list):
        here[:] = [_written(one) for one in value]
    else:
        data[last] = _written(value)


def _written(value: Any) -> Any:
    if isinstance(value, str):
        if "\n" in value:
            return LiteralScalarString(value)
        # Between brackets, a reader of YAML 1.1 takes these for more than text.
        return DoubleQuotedScalarString(value) if "?" in value or value.startswith(":") else value
    if isinstance(value, dict):
        return {name: _written(one) for name, one in value.items()}
    made = CommentedSeq(map(_written, value))
    made.fa.set_flow_style()
    return made
