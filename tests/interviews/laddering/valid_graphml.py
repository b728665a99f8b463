"""Whether a document is GraphML: by graphml.xsd, and by what no schema can say of its data."""

from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from interviews.protocols.laddering.exports.graphml import NAMESPACE

SCHEMA = etree.XMLSchema(file=str(Path(__file__).with_name("graphml.xsd")))
G = f"{{{NAMESPACE}}}"
TYPES = {
    "boolean": {"true": True, "false": False, "1": True, "0": False}.__getitem__,
    "int": int,
    "long": int,
    "float": float,
    "double": float,
    "string": str,
}


def problems(text: str) -> list[str]:
    """Everything that is wrong in a document; nothing where it is valid."""
    try:
        root = etree.fromstring(text.encode(), etree.XMLParser(resolve_entities=False))
    except etree.XMLSyntaxError as error:
        return [str(error)]
    SCHEMA.validate(root)
    return [error.message for error in SCHEMA.error_log] or list(_misplaced(root))


def _misplaced(root: etree._Element) -> Iterator[str]:
    """Data at elements that its key is not for, and values that are not of its key's type."""
    keys = {key.get("id"): key for key in root.iter(f"{G}key")}
    for data in root.iter(f"{G}data"):
        key, place = keys[data.get("key")], etree.QName(data.getparent()).localname
        if key.get("for", "all") not in ("all", place):
            yield f"{data.get('key')} is not for a {place}"
        if not _fits(key.get("attr.type"), data.text or ""):
            yield f"{data.text!r} is no {key.get('attr.type')}"


def _fits(kind: str, text: str) -> bool:
    try:
        TYPES[kind](text)
    except (KeyError, ValueError):
        return False
    return True
