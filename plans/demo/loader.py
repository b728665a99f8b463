"""Brings the shipped bots and scripts into the database."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils.crypto import get_random_string

from llm.tasks.yaml_files import read_yaml_file
from plans.bots.reward_codes import add_codes, pool
from plans.models import Bot, Script
from plans.portability.bots import apply_bot
from plans.portability.documents import BotDocument, ScriptDocument
from plans.portability.reader import read_script
from plans.portability.scripts import apply_script, known_script
from plans.protocols import PROTOCOLS
from plans.protocols.base import DOCUMENTS

HERE = Path(__file__).parent
SINGLE = (  # bots in files of their own
    "product_research",
    "vita_in_quartiere",
    "technical_backend_en",
    "technical_backend_ru",
    "print_shop_handover",
    "evening_reading",
)
# What a shipped bot has beside a document's fields, or names a file for.
OWN = (
    *("scripts", "is_default", "reward_codes", "documents", "backlog"),
    *("concept", "methodology"),
)
LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # none that is taken for another


@dataclass
class Loaded:
    """What was made or restored, what was left as it is, and what is for no known protocol."""

    made: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)


def load_demo(reset: bool = False) -> Loaded:
    """Makes what is not there yet; what people have changed, renamed or deleted stays so.

    With reset, everything becomes as it is shipped; reward codes that are there stay.
    """
    loaded = Loaded()
    for protocol in PROTOCOLS.values():
        with transaction.atomic():
            for name, made in protocol.demo.shared(reset):
                (loaded.made if made else loaded.left).append(name)
    for entry in shipped():
        if entry["protocol"] not in PROTOCOLS:
            loaded.skipped.append(entry["title"])
            continue
        with transaction.atomic():
            _load_bot(entry, reset, loaded)
    return loaded


def shipped() -> Iterator[dict[str, Any]]:
    """The bots as their files hold them."""
    yield from read_yaml_file(HERE / "bots.yaml")["bots"]
    yield from (read_yaml_file(HERE / f"{stem}.yaml") for stem in SINGLE)


def demo_script(stem: str) -> ScriptDocument:
    """A shipped script by the name of its file."""
    return read_script((HERE / "scripts" / f"{stem}.yaml").read_bytes(), "yaml")


def _load_bot(entry: dict[str, Any], reset: bool, loaded: Loaded) -> None:
    documents = [demo_script(stem) for stem in entry.get("scripts", ())]
    for document in documents:
        _load_script(document, reset, loaded)
    slug = entry["slug"]
    bot = Bot.objects.filter(slug=slug).first()
    if not reset and (bot or Bot.history.filter(slug=slug).exists()):
        loaded.left.append(entry["title"])
        return
    fields = {k: v for k, v in entry.items() if k not in OWN}
    if "backlog" in entry:
        fields["backlog"] = read_yaml_file(DOCUMENTS / entry["backlog"])["questions"]
    described = BotDocument.model_validate(fields)
    parts = PROTOCOLS[entry["protocol"]].demo
    if "documents" in entry:  # they come before the backlog, which names places in them
        bot = bot or apply_bot(described.model_copy(update={"backlog": [], "summary": ""}))
        parts.before(bot, entry)
    applied = apply_bot(described, bot)
    parts.after(applied, entry)
    _fill_pool(applied, **entry.get("reward_codes", {}))
    _open(applied, documents, entry["is_default"])
    loaded.made.append(entry["title"])


def _open(bot: Bot, documents: list[ScriptDocument], is_default: bool) -> None:
    """Live with its scripts; the default only where nobody has chosen another."""
    bot.scripts.set(script for part in documents if (script := known_script(part)))
    other = Bot.objects.filter(is_default=True).exclude(pk=bot.pk).exists()
    bot.is_default = is_default and not other
    bot.status = Bot.Status.LIVE
    bot.save()


def _fill_pool(bot: Bot, count: int = 0, prefix: str = "") -> None:
    """Codes that nobody can guess, where there are none yet."""
    if not pool(bot)["total"]:
        add_codes(bot, (f"{prefix}-{get_random_string(8, LETTERS)}" for _ in range(count)))


def _load_script(document: ScriptDocument, reset: bool, loaded: Loaded) -> None:
    known = Script.history.filter(name=document.name, language=document.language)
    title = f"{document.name} ({document.language})"
    if not reset and known.exists():
        loaded.left.append(title)
        return
    apply_script(document, known_script(document))
    loaded.made.append(title)
