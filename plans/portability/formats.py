import json
import re
from collections.abc import Sequence
from typing import Any, Literal

import yaml
from pydantic import BaseModel

from plans.portability.csv_rows import QUESTIONS, TOPICS, write_backlog
from plans.portability.documents import BacklogDocument, ScriptDocument, TopicsDocument

Format = Literal["json", "yaml", "csv"]
SEPARATORS = re.compile("[,;\t]")
ENDINGS: dict[str, Format] = {".json": "json", ".yaml": "yaml", ".yml": "yaml", ".csv": "csv"}
MEDIA = {"json": "application/json", "yaml": "application/yaml", "csv": "text/csv"}
HEADS = {"format", "version"}  # fields that say what a file holds


def detect(text: str, name: str = "", columns: Sequence[str] = QUESTIONS.columns) -> Format:
    """Return the format by the file name's ending, else by how the text begins."""
    for ending, known in ENDINGS.items():
        if name.lower().endswith(ending):
            return known
    if text.lstrip().startswith(("{", "[")):
        return "json"
    first = SEPARATORS.split(text.lstrip().split("\n", 1)[0].lower(), 1)[0]
    return "csv" if first.strip(' "') in columns else "yaml"


class _Dumper(yaml.SafeDumper):
    pass


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)


def write(document: BaseModel, form: Format) -> str:
    """Return the document as text. Only questions, topics and a backlog can be CSV."""
    data = _without_empty(document.model_dump(mode="json"))
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


def _without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        pairs = ((name, _without_empty(part)) for name, part in value.items())
        return {name: part for name, part in pairs if part not in ("", None, [], {})}
    return [_without_empty(part) for part in value] if isinstance(value, list) else value
