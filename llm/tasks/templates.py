"""Prompt templates: Markdown files with a version, a system part and a message.

    ---
    version: 3
    ---
    # System
    You lead an interview in $language. …
    # Message
    <answer>$answer</answer>

The system part comes first and is the same for many calls, so that providers can cache it. `$name`
stands for a field of the task's input, `$$` for a dollar sign. Strings are inserted as they are
(but for the template's own tags where people say them), lists of strings as lines, None as nothing,
all else as JSON. A field `dialogue` of Utterances is no variable: it is sent as messages before the
last one.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

import yaml
from pydantic import BaseModel

from llm.tasks.task import Message, PromptContext, Role, Task
from llm.tasks.yaml_files import SAFE_LOADER

DIALOGUE = "dialogue"
OPENING = "(The interview begins.)"
FORM = re.compile(
    r"\A---\n(?P<front>.*?)\n---\s*\n# System\n(?P<system>.*?)\n# Message\n(?P<message>.*)\Z", re.S
)
TAG = re.compile(r"<(\w+)>")
ROLES: dict[str, Role] = {"interviewer": "assistant", "participant": "user"}


class TemplateError(ValueError):
    """A template is malformed, or its variables aren't its task's input fields."""


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    version: str
    system: Template
    message: Template
    context: PromptContext


@dataclass(frozen=True, slots=True)
class Prompt:
    version: str
    system: str
    messages: tuple[Message, ...]


@cache
def load(path: Path) -> PromptTemplate:
    form = FORM.match(path.read_text(encoding="utf-8"))
    if form is None:
        raise TemplateError(f"{path}: front matter, # System, # Message are wanted, in this order")
    front = yaml.load(form["front"], SAFE_LOADER)  # noqa: S506
    if not isinstance(front, dict) or "version" not in front:
        raise TemplateError(f"{path}: the front matter has no version")
    names = "|".join(sorted({*TAG.findall(form["system"] + form["message"])})) or "(?!)"
    template = PromptTemplate(
        str(front["version"]),
        Template(form["system"].strip()),
        Template(form["message"].strip()),
        PromptContext(re.compile(rf"<[\s/]*+(?:{names})\b", re.IGNORECASE)),
    )
    if not (template.system.is_valid() and template.message.is_valid()):
        raise TemplateError(f"{path}: a lone $ (write $$ for a dollar sign)")
    return template


def check(task: Task[Any, Any]) -> None:
    """Raise TemplateError unless the template's variables are exactly the input's fields."""
    template = load(task.template)
    variables = {*template.system.get_identifiers(), *template.message.get_identifiers()}
    fields = {*task.input.model_fields, *task.input.model_computed_fields} - {DIALOGUE}
    if unknown := variables - fields:
        raise TemplateError(f"{task.name}: the template wants {sorted(unknown)}, not in the input")
    if unused := fields - variables:
        raise TemplateError(f"{task.name}: the template does not use {sorted(unused)}")


def render(task: Task[Any, Any], data: BaseModel) -> Prompt:
    template = load(task.template)
    fields = data.model_dump(mode="json", context=template.context)
    dialogue = fields.pop(DIALOGUE, ())
    texts = {name: _as_text(value) for name, value in fields.items()}
    last = Message("user", template.message.substitute(texts))
    return Prompt(template.version, template.system.substitute(texts), (*_dialogue(dialogue), last))


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    return json.dumps(value, ensure_ascii=False, indent=1)


def _dialogue(utterances: list[dict[str, str]]) -> tuple[Message, ...]:
    messages = tuple(Message(ROLES[line["role"]], line["text"]) for line in utterances)
    if messages and messages[0].role == "assistant":  # the first message must be the user's
        return (Message("user", OPENING), *messages)
    return messages
