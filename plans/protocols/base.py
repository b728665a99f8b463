from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db.models import Model
from pydantic import BaseModel

from plans.jobs import JobType
from plans.models import Bot, Script
from plans.portability.documents import BotDocument
from plans.portability.tree import Tree
from plans.protocols.plan_content import Frozen

DOCUMENTS = Path(__file__).parents[1] / "demo" / "documents"


@dataclass(frozen=True)
class ContentType:
    """How one protocol's part of a plan is typed and compiled.

    `languages` returns the languages an interview can be held in, `questions` the number of
    questions if it is known beforehand, else None, `steps` what an overview calls the steps of the
    progress, where they have names.
    """

    options: type[Frozen]
    material: type[Frozen]
    compile: Callable[[Bot], Any]
    languages: Callable[[Any], tuple[str, ...]] = lambda material: material.options.languages
    questions: Callable[[Any], int | None] = lambda material: None
    steps: Callable[[Any], tuple[str, ...]] = lambda material: ()


NO_CONTENT = ContentType(
    options=Frozen, material=Frozen, compile=lambda bot: Frozen(), languages=lambda material: ()
)


@dataclass(frozen=True)
class ChecklistItem:
    """Something a bot needs; `hint` says how to provide it."""

    label: str
    done: bool
    hint: str = ""
    needed: bool = True  # False: only advised


def by_title(model: type[BaseModel], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values under the titles of their fields, including those of nested models."""
    titled: dict[str, Any] = {}
    for name, info in model.model_fields.items():
        value, inner = values.get(name), info.annotation
        if isinstance(value, Mapping) and isinstance(inner, type) and issubclass(inner, BaseModel):
            titled |= by_title(inner, value)
        elif name in values:
            titled[info.title or name] = value
    return titled


@dataclass(frozen=True)
class BotDraft:
    """A bot as it is stored, or as a form would store it.

    `rows` is False while topics, fields and codes are still being edited: the form saves them last.
    """

    bot: Bot
    scripts: Sequence[Script]
    rows: bool = True


@dataclass(frozen=True)
class OwnParts:
    """How the parts of a bot's file that only one protocol has are written, read and compared.

    `write` returns the parts of a stored bot as document fields. `read` checks and replaces those
    of a document that was just read (BrokenDocument). `settle` returns them as the bot would store
    them. `readable` returns plain data for comparing, `known` the stored rows in the same form, and
    `rows` those rows, each with whether the document changes it.
    `bot_fields` returns fields of the bot's row; `store` writes related rows of the saved bot. Both
    run in one transaction.
    """

    write: Callable[[Bot], dict[str, Any]] = lambda bot: {}
    read: Callable[[BotDocument, Tree], dict[str, Any]] = lambda document, tree: {}
    settle: Callable[[Bot | None, BotDocument], dict[str, Any]] = lambda bot, document: {}
    readable: Callable[[Mapping[str, Any]], dict[str, Any]] = lambda data: {}
    known: Callable[[BotDocument], dict[str, dict[str, Any]]] = lambda document: {}
    rows: Callable[[BotDocument], Sequence[tuple[Model, bool]]] = lambda document: ()
    bot_fields: Callable[[BotDocument], dict[str, Any]] = lambda document: {}
    store: Callable[[Bot, BotDocument], None] = lambda bot, document: None


@dataclass(frozen=True)
class DemoParts:
    """How to load the rows that the shipped bots of one protocol depend on.

    `shared` loads what several bots use, before all bots; it takes whether to reset, and returns
    names and whether each was created. `before` runs for each bot before its backlog is stored,
    `after` on the stored bot, which is then saved again.
    """

    shared: Callable[[bool], list[tuple[str, bool]]] = lambda reset: []
    before: Callable[[Bot, Mapping[str, Any]], None] = lambda bot, entry: None
    after: Callable[[Bot, Mapping[str, Any]], None] = lambda bot, entry: None


@dataclass(frozen=True)
class PlanProtocol:
    """What a protocol contributes to editing, checking and compiling its bots.

    `parts` names the parts of a bot's document that it uses; `own_parts` reads and stores those
    that only this protocol has. `readable` turns a plan's material into what people read.
    `scripts_mean` explains how it reads a script, where the script alone doesn't say.
    `read_by_experts` is the default for bots that don't choose.

    `prepare` runs in the transaction that changes a bot and requests what is prepared before its
    interviews; `jobs` maps Celery task names to background jobs. `duplicate` copies rows that only
    its bots have to a copy of the bot; `demo` loads what the shipped bots depend on.
    """

    title: str
    content: ContentType
    summary: str = ""
    parts: frozenset[str] = frozenset()
    own_parts: OwnParts = field(default_factory=OwnParts)
    languages: Callable[[BotDraft], list[str]] = lambda draft: []
    needs: Callable[[BotDraft], list[ChecklistItem]] = lambda draft: []
    readable: Callable[[Mapping[str, Any]], dict[str, Any]] = dict
    scripts_mean: str = ""
    read_by_experts: bool = False
    prepare: Callable[[Bot], Any] = lambda bot: None
    duplicate: Callable[[Bot, Bot], None] = lambda bot, copy: None
    jobs: Mapping[str, JobType[Any]] = field(default_factory=dict)
    demo: DemoParts = field(default_factory=DemoParts)
