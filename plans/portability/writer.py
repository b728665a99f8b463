"""From a document to a file."""

import json
from typing import Any

import yaml
from pydantic import BaseModel

from plans.portability.backlog_rows import write_backlog
from plans.portability.documents import BacklogDocument, ScriptDocument, TopicsDocument
from plans.portability.formats import Format
from plans.portability.question_rows import write_questions
from plans.portability.topic_rows import write_topics

MEDIA = {"json": "application/json", "yaml": "application/yaml", "csv": "text/csv"}


class _Dumper(yaml.SafeDumper):
    """Texts of several lines as blocks, which people can edit."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def write(document: BaseModel, form: Format) -> str:
    """The document as text. CSV holds only questions, topics or a backlog."""
    data = plain(document)
    if form == "json":
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    if form == "yaml":
        return yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100)
    if isinstance(document, TopicsDocument):
        return write_topics(document)
    if isinstance(document, BacklogDocument):
        return write_backlog(document)
    if isinstance(document, ScriptDocument):
        return write_questions(document)
    raise ValueError("Only questions and topics are written as CSV.")


def plain(document: BaseModel) -> dict[str, Any]:
    """The document as JSON data, without what is empty and need not be said."""
    data: dict[str, Any] = _said(document.model_dump(mode="json"))
    return data


def _said(value: Any) -> Any:
    if isinstance(value, dict):
        pairs = ((name, _said(part)) for name, part in value.items())
        return {name: part for name, part in pairs if part not in ("", None, [], {})}
    return [_said(part) for part in value] if isinstance(value, list) else value
