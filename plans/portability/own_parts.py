"""The parts of a bot's file that one protocol alone has."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from plans.models import Bot
from plans.portability.documents import BotDocument
from plans.portability.tree import Tree


@dataclass(frozen=True)
class OwnParts:
    """How these parts are written, read, compared and stored. Each function deals with all of them.

    `write` gives fields of a stored bot's document. `read` checks them in a document that was just
    read (BrokenDocument) and gives them anew. `settle` gives them as the bot, if any, would keep
    them. `readable` gives parts of a document's plain data as people compare them, and `known`
    what the rows hold that a document is about, in the same form. `bot_fields` gives fields of
    the bot's row, and `store` writes rows that hang on the saved bot; both run in one transaction.
    """

    write: Callable[[Bot], dict[str, Any]] = lambda bot: {}
    read: Callable[[BotDocument, Tree], dict[str, Any]] = lambda document, tree: {}
    settle: Callable[[Bot | None, BotDocument], dict[str, Any]] = lambda bot, document: {}
    readable: Callable[[Mapping[str, Any]], dict[str, Any]] = lambda data: {}
    known: Callable[[BotDocument], dict[str, dict[str, Any]]] = lambda document: {}
    bot_fields: Callable[[BotDocument], dict[str, Any]] = lambda document: {}
    store: Callable[[Bot, BotDocument], None] = lambda bot, document: None
