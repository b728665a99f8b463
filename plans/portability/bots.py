from collections.abc import Iterator, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Model
from pydantic import BaseModel, ValidationError

from plans.models import Bot, BotText, Script
from plans.models.eligibility import WAYS, cells_of, outcome_of, params_of, rename_cells
from plans.portability.differences import Difference, differences
from plans.portability.documents import (
    BotDocument,
    DataFieldDocument,
    ScriptDocument,
    TextsDocument,
)
from plans.portability.reader import non_default_options
from plans.portability.rows import document_of_row, sync_rows, update_if_changed
from plans.portability.scripts import apply_script, known_script, script_changes, script_document
from plans.portability.topics import store_topics, topics_document
from plans.protocols import PROTOCOLS, protocol_of

TYPED_FIELDS = {"quota_cells", "link_params", "outcomes"}  # stored as JSON
OWN_FIELDS = {"alert_to", "concept", "methodology"}  # stored in other forms than a file has
COLUMNS = {field.name for field in Bot._meta.concrete_fields} - TYPED_FIELDS - OWN_FIELDS
PLAIN_FIELDS = tuple(name for name in BotDocument.model_fields if name in COLUMNS)
OWN_PARTS = tuple(protocol.own_parts for protocol in PROTOCOLS.values())


def bot_document(bot: Bot) -> BotDocument:
    """Return the document of a stored bot with the scripts, topics or backlog it uses."""
    parts: dict[str, Any] = {}
    for own in OWN_PARTS:
        parts |= own.write(bot)
    return document_of_row(
        BotDocument,
        bot,
        **parts,
        options=_set_options(bot),
        models=bot.model_overrides,
        link_params=params_of(bot.link_params),
        quota_cells=cells_of(bot.quota_cells),
        outcomes={way: outcome_of(bot, way) for way in WAYS if bot.outcomes.get(way)},
        alert_to=bot.alert_to.split(),
        texts={text.language: document_of_row(TextsDocument, text) for text in bot.texts.all()},
        scripts=[script_document(s) for s in bot.scripts.order_by("language", "id")],
        topics=topics_document(bot).topics,
        data_fields=[document_of_row(DataFieldDocument, row) for row in bot.data_fields.all()],
    )


def _set_options(bot: Bot) -> dict[str, Any]:
    """Return the options as an import would store them; unchanged if they are invalid."""
    try:
        options = protocol_of(bot).content.options.model_validate(bot.options)
    except ValidationError:
        return dict(bot.options)
    return non_default_options(options)


def bot_changes(bot: Bot | None, document: BotDocument) -> list[Difference]:
    """Return what the document would change in the bot, its scripts and its files."""
    scripts = [known for part in document.scripts if (known := known_script(part))]
    before = _content(bot_document(bot)) if bot else {}
    used = {_script_title(s): _script_content(script_document(s)) for s in scripts}
    before["scripts"] = used | before.get("scripts", {})
    after = document
    for own in OWN_PARTS:
        for name, stored in own.known(document).items():
            before[name] = stored | before.get(name, {})
        after = after.model_copy(update=own.settle(bot, document))
    return differences(before, _content(after))


def used_rows(document: BotDocument) -> Iterator[tuple[Model, bool]]:
    """Yield the stored scripts and files that a document names, and whether it changes them."""
    for part in document.scripts:
        if script := known_script(part):
            yield script, bool(script_changes(script, part))
    for own in OWN_PARTS:
        yield from own.rows(document)


def _content(document: BotDocument) -> dict[str, Any]:
    data = document.model_dump(mode="json", exclude={"format", "version", "scripts"})
    for own in OWN_PARTS:
        data |= own.readable(data)
    return data | {
        "scripts": {_script_title(part): _script_content(part) for part in document.scripts}
    }


def _script_title(script: Script | ScriptDocument) -> str:
    return f"{script.name} ({script.language})"


def _script_content(script: ScriptDocument) -> dict[str, Any]:
    return script.model_dump(mode="json", exclude={"format", "version", "name", "language"})


@transaction.atomic
def apply_bot(document: BotDocument, bot: Bot | None = None) -> Bot:
    """Store the document as a new draft, or make the given bot equal to it.

    Scripts are matched by name and language, concept and methodology by id; those found are
    changed. Reward codes and uploaded documents are not part of a document and stay as they are.
    """
    bot = bot or Bot()
    cells_before = bot.quota_cells
    fields = {name: getattr(document, name) for name in PLAIN_FIELDS}
    fields |= document.model_dump(mode="json", include=TYPED_FIELDS)
    fields |= {"model_overrides": document.models, "alert_to": "\n".join(document.alert_to)}
    for own in OWN_PARTS:
        fields |= own.bot_fields(document)
    for name, value in fields.items():
        setattr(bot, name, value)
    bot.save()
    rename_cells(bot, cells_before)
    bot.scripts.set([apply_script(part, known_script(part)) for part in document.scripts])
    for text in bot.texts.exclude(language__in=document.texts):
        text.delete()
    store_texts(bot, document.texts)
    store_topics(bot, document.topics)
    sync_rows(bot.data_fields, document.data_fields, ["kind", "label"])
    for own in OWN_PARTS:
        own.store(bot, document)
    protocol_of(bot).prepare(bot)
    return bot


def store_texts(bot: Bot, texts: Mapping[str, BaseModel]) -> None:
    """Store the texts that changed; each save adds a version."""
    stored = {text.language: text for text in bot.texts.all()}
    for language, text in texts.items():
        row = stored.get(language) or BotText(bot=bot, language=language)
        update_if_changed(row, text.model_dump())
