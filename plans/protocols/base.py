"""What a protocol says of the bots that use it and of their plans."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from plans.jobs import JobType
from plans.models import Bot, Script
from plans.portability.own_parts import OwnParts
from plans.protocols.demo_parts import DemoParts
from plans.protocols.plan_content import Frozen


@dataclass(frozen=True)
class ContentType:
    """How one protocol's part of a plan is typed and compiled.

    `languages` gives those that an interview can be held in, `questions` the number of questions
    known beforehand, or None.
    """

    options: type[Frozen]
    material: type[Frozen]
    compile: Callable[[Bot], Any]
    languages: Callable[[Any], tuple[str, ...]]
    questions: Callable[[Any], int | None]


NO_CONTENT = ContentType(
    options=Frozen,
    material=Frozen,
    compile=lambda bot: Frozen(),
    languages=lambda material: (),
    questions=lambda material: None,
)


@dataclass(frozen=True)
class ChecklistItem:
    """One thing that a bot needs. `hint` says what to do while it is not done."""

    label: str
    done: bool
    hint: str = ""
    needed: bool = True  # False: only advised


def by_title(model: type[BaseModel], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values under the titles of their fields, those of inner models too."""
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

    `rows` is False while topics, fields and codes are still being typed: a form knows them last.
    """

    bot: Bot
    scripts: Sequence[Script]
    rows: bool = True


@dataclass(frozen=True)
class PlanProtocol:
    """One protocol, as those who make bots meet it.

    `parts` are the parts of a bot's document that it uses, `own_parts` how those of them are read
    and stored that no other protocol has. `readable` gives a plan's material for people.
    `scripts_mean` says how it reads a script, where that is not plain from the script's own words.
    `read_by_experts` is whether experts read interviews, unless the bot says otherwise.

    `prepare` runs in the transaction that changes a bot and requests what is made ahead of its
    interviews; `jobs` are the types of these background jobs by the names of their Celery tasks.
    `duplicate` copies rows that only its bots have from one bot to its copy; `demo` loads what the
    shipped bots rest on.
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
