from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Model

from plans.models import Bot
from plans.portability.documents import BotDocument
from plans.portability.tree import Tree


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
