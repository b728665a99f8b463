"""JSON schemas of results in the subset that providers' structured output accepts.

Anthropic and OpenAI support different subsets of JSON Schema; `strict` keeps to what both accept.
Bounds that it leaves out (lengths, ranges) are still checked when the reply is validated.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from llm.providers.base import Shape

KEPT = ("type", "enum", "const", "description")
Schema = Mapping[str, Any]


class Inexpressible(ValueError):
    """The schema has something outside the subset: an open map, a tuple, a root reference."""


@lru_cache(maxsize=256)
def shape(output: type[BaseModel]) -> Shape:
    schema = output.model_json_schema()
    schema["title"] = output.__name__
    try:
        return Shape(output.__name__, schema, strict(schema))
    except Inexpressible:
        return Shape(output.__name__, schema, None)


def strict(schema: Schema) -> dict[str, Any]:
    """Return the schema in the subset: closed objects, all fields required, in the class's order.

    Raises Inexpressible.
    """
    if "$ref" in schema and "$defs" in schema:
        raise Inexpressible("the root is a reference")
    plain = _node(schema)
    plain["title"] = schema["title"]
    if "$defs" in schema:
        plain["$defs"] = {name: _node(definition) for name, definition in schema["$defs"].items()}
    return plain


def _node(schema: Schema) -> dict[str, Any]:
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}  # nothing may stand beside a reference
    node = {key: schema[key] for key in KEPT if key in schema}
    if variants := schema.get("anyOf") or schema.get("oneOf"):
        return node | {"anyOf": [_node(variant) for variant in variants]}
    if schema.get("type") == "object":
        return node | _object(schema)
    if schema.get("type") == "array":
        return node | {"items": _items(schema)}
    if not node.keys() & {"type", "enum", "const"}:
        raise Inexpressible(f"no type in {dict(schema)}")
    return node


def _object(schema: Schema) -> dict[str, Any]:
    properties = schema.get("properties")
    if not properties or schema.get("additionalProperties"):
        raise Inexpressible("an open map")
    return {
        "properties": {name: _node(field) for name, field in properties.items()},
        "required": list(properties),
        "additionalProperties": False,
    }


def _items(schema: Schema) -> dict[str, Any]:
    if "items" not in schema or "prefixItems" in schema:
        raise Inexpressible("a list of no one type")
    return _node(schema["items"])
