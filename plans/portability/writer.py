import json
from typing import Any

import yaml
from pydantic import BaseModel

from plans.portability.backlog_rows import write_backlog
from plans.portability.documents import BacklogDocument, ScriptDocument, TopicsDocument
from plans.portability.formats import Format
from plans.portability.grouped_rows import QUESTIONS, TOPICS

MEDIA = {"json": "application/json", "yaml": "application/yaml", "csv": "text/csv"}


class _Dumper(yaml.SafeDumper):
    pass


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)


def write(document: BaseModel, form: Format) -> str:
    """Return the document as text. Only questions, topics and a backlog can be CSV."""
    data = plain(document)
    if form == "json":
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    if form == "yaml":
        return yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100)
    if isinstance(document, TopicsDocument):
        return TOPICS.write(document)
    if isinstance(document, BacklogDocument):
        return write_backlog(document)
    if isinstance(document, ScriptDocument):
        return QUESTIONS.write(document)
    raise ValueError("Only questions and topics are written as CSV.")


def plain(document: BaseModel) -> dict[str, Any]:
    """Return the document as JSON data without empty values."""
    data: dict[str, Any] = _without_empty(document.model_dump(mode="json"))
    return data


def _without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        pairs = ((name, _without_empty(part)) for name, part in value.items())
        return {name: part for name, part in pairs if part not in ("", None, [], {})}
    return [_without_empty(part) for part in value] if isinstance(value, list) else value
