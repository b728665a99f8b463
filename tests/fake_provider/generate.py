"""A valid instance of any JSON schema, and a value made to fit one."""

import random
from collections.abc import Mapping
from typing import Any

WORDS = [
    "house",
    "river",
    "letter",
    "garden",
    "winter",
    "brother",
    "road",
    "table",
    "morning",
    "song",
]
Schema = Mapping[str, Any]


def instance(schema: Schema, rng: random.Random, root: Schema | None = None) -> Any:
    """Something that the schema allows."""
    root = schema if root is None else root
    schema = _resolved(schema, root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return rng.choice(list(schema["enum"]))
    if variants := schema.get("anyOf") or schema.get("oneOf"):
        return instance(variants[0], rng, root)
    return _typed(schema, rng, root)


def _typed(schema: Schema, rng: random.Random, root: Schema) -> Any:
    match schema.get("type"):
        case "object":
            fields = schema.get("properties", {})
            return {name: instance(field, rng, root) for name, field in fields.items()}
        case "array":
            least = max(1, schema.get("minItems", 1))
            return [instance(schema.get("items", {}), rng, root) for _ in range(least)]
        case "integer":
            return rng.randint(schema.get("minimum", 0), schema.get("maximum", 10))
        case "number":
            return float(schema.get("minimum", 0))
        case "boolean":
            return rng.random() < 0.5
        case "null":
            return None
    return " ".join(rng.choices(WORDS, k=4))


def fitted(value: Any, schema: Schema, rng: random.Random) -> Any:
    """The value with the schema's fields, in its order; what is missing is made up."""
    fields = schema.get("properties")
    if not isinstance(value, Mapping) or not fields:
        return value
    return {
        name: value[name] if name in value else instance(field, rng, schema)
        for name, field in fields.items()
    }


def _resolved(schema: Schema, root: Schema) -> Schema:
    reference = schema.get("$ref")
    if not reference:
        return schema
    found: Schema = root["$defs"][reference.rpartition("/")[2]]
    return found
