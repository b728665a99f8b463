"""A bot's backlog and summary as a document, and a document's content as rows."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from plans.models import BacklogQuestion, Bot
from plans.models.knowledge import MOST_QUESTIONS
from plans.portability.differences import Difference, differences
from plans.portability.documents import BacklogDocument, BacklogQuestionDocument, BotDocument
from plans.portability.own_parts import OwnParts
from plans.portability.problems import broken
from plans.portability.rows import saved
from plans.protocols.knowledge_transfer.analysis import write_summary
from plans.protocols.knowledge_transfer.analysis.sources import (
    MOST_SOURCES,
    Place,
    SourceQuery,
    sources_of,
)
from plans.protocols.knowledge_transfer.analysis.status import lock_bot
from plans.protocols.knowledge_transfer.backlog import ordered_questions, source_names
from plans.text import tidy


def backlog_document(bot: Bot) -> BacklogDocument:
    """The backlog of a stored bot, in the order of asking."""
    return BacklogDocument.model_construct(
        questions=[_question(row) for row in ordered_questions(bot)]
    )


def _question(row: BacklogQuestion) -> BacklogQuestionDocument:
    fields: dict[str, Any] = {"key": row.key, "priority": row.priority}
    fields |= {"question": tidy(row.text), "why": tidy(row.why)}
    return BacklogQuestionDocument.model_construct(**fields, document=source_names(row))


def summary_of(bot: Bot) -> str:
    """The summary of a stored bot's documents; empty where there is none."""
    context = getattr(bot, "project_context", None)
    return tidy(str(context.content.get("summary", ""))) if context else ""


def add_missing_questions(bot: Bot, document: BacklogDocument) -> BacklogDocument:
    """The document with the bot's questions that are not in it, after its own.

    Raises BrokenDocument where these are too many.
    """
    named = {part.key for part in document.questions}
    others = [part for part in backlog_document(bot).questions if part.key not in named]
    together = [*document.questions, *others]
    if len(together) > MOST_QUESTIONS:
        raise broken(
            f"With those that are there it would be {len(together)} questions; {MOST_QUESTIONS} "
            "are the most."
        )
    return document.model_copy(update={"questions": together})


def normalise_questions(
    bot: Bot | None, parts: Sequence[BacklogQuestionDocument]
) -> list[BacklogQuestionDocument]:
    """In the order of asking; where a file names no document, a question keeps the ones it has."""
    rows = bot.backlog.all() if bot and bot.pk else ()
    known = {row.key: source_names(row) for row in rows}
    said = [
        part.model_copy(update={"document": part.document or known.get(part.key, "")})
        for part in parts
    ]
    return sorted(said, key=lambda part: part.priority)


def backlog_changes(bot: Bot, document: BacklogDocument) -> list[Difference]:
    """What applying the document would change, by the keys of questions."""
    after = BacklogDocument.model_construct(questions=normalise_questions(bot, document.questions))
    return differences(backlog_document(bot).model_dump(mode="json"), after.model_dump(mode="json"))


@transaction.atomic
def apply_backlog(document: BacklogDocument, bot: Bot) -> Bot:
    """Makes the bot's backlog equal to the document."""
    store_backlog(bot, document.questions)
    return bot


def store_backlog(bot: Bot, parts: Sequence[BacklogQuestionDocument]) -> None:
    """Questions matched by key, so that what stays keeps its history and its sources.

    To be called in a transaction.
    """
    lock_bot(bot)  # what is just being drafted comes before or after
    known = {row.key: row for row in bot.backlog.all()}
    parts = normalise_questions(bot, parts)
    sources = _sources(bot, [part for part in parts if _is_from_elsewhere(part, known)])
    for position, part in enumerate(parts):
        fields: dict[str, Any] = {"text": part.question, "priority": part.priority}
        fields |= {"why": part.why, "position": position}
        if part.key in sources:
            fields["sources"] = sources[part.key]
        saved(known.get(part.key) or BacklogQuestion(bot=bot, key=part.key), fields)
    for key in known.keys() - {part.key for part in parts}:
        known[key].delete()


def _is_from_elsewhere(part: BacklogQuestionDocument, known: Mapping[str, BacklogQuestion]) -> bool:
    row = known.get(part.key)
    return row is None or source_names(row) != part.document


def _sources(bot: Bot, parts: Sequence[BacklogQuestionDocument]) -> dict[str, list[Place]]:
    """By key, places that fit: in the documents that are named, or in any where none is."""
    named = {part.key: _names(part.document) for part in parts}
    wanted = [SourceQuery(part.question, tuple((n, "") for n in named[part.key])) for part in parts]
    found = sources_of(bot, wanted) if wanted else []
    return {
        part.key: _in_named(places, named[part.key]) if named[part.key] else places
        for part, places in zip(parts, found, strict=True)
    }


def _names(document: str) -> list[str]:
    return [name for one in document.split(";") if (name := one.strip())][:MOST_SOURCES]


def _in_named(places: Sequence[Place], names: Sequence[str]) -> list[Place]:
    """A place for each name; the name alone where there is no such document now."""
    best = {place["document"].casefold(): place for place in places}
    return [
        {**best.get(name.casefold(), {"place": "", "text": ""}), "document": name} for name in names
    ]


def store_summary(bot: Bot, summary: str) -> None:
    """As a person's own words, where it differs."""
    if summary != summary_of(bot):
        bot.project_context = write_summary(bot, summary)  # or it would know the one before


def _written(bot: Bot) -> dict[str, Any]:
    return {"summary": summary_of(bot), "backlog": backlog_document(bot).questions}


def _settled(bot: Bot | None, document: BotDocument) -> dict[str, Any]:
    return {"backlog": normalise_questions(bot, document.backlog)}


def _store(bot: Bot, document: BotDocument) -> None:
    store_backlog(bot, document.backlog)
    store_summary(bot, document.summary)


OWN_PARTS = OwnParts(write=_written, settle=_settled, store=_store)
