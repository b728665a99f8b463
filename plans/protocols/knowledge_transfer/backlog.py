from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction

from plans.models import BacklogQuestion, Bot
from plans.models.copies import next_position
from plans.models.knowledge import MOST_QUESTIONS
from plans.portability.differences import Difference, differences
from plans.portability.documents import BacklogDocument, BacklogQuestionDocument, BotDocument
from plans.portability.keys import make_own_key
from plans.portability.problems import broken
from plans.portability.rows import document_of_row, update_if_changed
from plans.protocols.base import OwnParts
from plans.protocols.knowledge_transfer.analysis.requests import write_summary
from plans.protocols.knowledge_transfer.analysis.sources import (
    MOST_SOURCES,
    Place,
    SourceQuery,
    sources_of,
)
from plans.protocols.knowledge_transfer.analysis.status import lock_bot
from plans.text import tidy


def ordered_questions(bot: Bot) -> list[BacklogQuestion]:
    return list(bot.backlog.order_by("priority", "position", "id"))


def source_names(question: BacklogQuestion) -> str:
    return "; ".join(dict.fromkeys(source["document"] for source in question.sources))


def add_questions(bot: Bot, texts: Iterable[str]) -> int:
    """Append P1 questions with their sources, and return how many were new.

    Texts that are already in the backlog are skipped. Call it in a transaction.
    """
    lock_bot(bot)  # or a running draft might take the same key
    keys = dict(bot.backlog.values_list("text", "key"))
    new = [text for text in dict.fromkeys(texts) if text not in keys]
    taken = set(keys.values())
    first = next_position(bot.backlog.values_list("position", flat=True))
    pairs = zip(new, sources_of(bot, [*map(SourceQuery, new)]), strict=True)
    for position, (text, sources) in enumerate(pairs, first):
        key = make_own_key(text, taken)
        taken.add(key)
        BacklogQuestion.objects.create(
            bot=bot, key=key, text=text, position=position, sources=sources
        )
    return len(new)


def find_sources(questions: Iterable[BacklogQuestion]) -> None:
    rows = [question for question in questions if not question.sources]
    if not rows:
        return
    places = sources_of(rows[0].bot, [SourceQuery(question.text) for question in rows])
    for question, sources in zip(rows, places, strict=True):
        if sources:
            question.sources = sources
            question.save(update_fields=["sources"])


def backlog_document(bot: Bot) -> BacklogDocument:
    questions = [_question_document(row) for row in ordered_questions(bot)]
    return BacklogDocument.model_construct(questions=questions)


def _question_document(row: BacklogQuestion) -> BacklogQuestionDocument:
    return document_of_row(
        BacklogQuestionDocument, row, question=tidy(row.text), document=source_names(row)
    )


def summary_of(bot: Bot) -> str:
    context = getattr(bot, "project_context", None)
    return tidy(str(context.content.get("summary", ""))) if context else ""


def add_missing_questions(bot: Bot, document: BacklogDocument) -> BacklogDocument:
    """Return the document with the bot's other questions appended.

    Raises BrokenDocument if these are too many.
    """
    keys = {part.key for part in document.questions}
    others = [part for part in backlog_document(bot).questions if part.key not in keys]
    questions = [*document.questions, *others]
    if len(questions) > MOST_QUESTIONS:
        raise broken(
            f"The backlog would have {len(questions)} questions. The maximum is {MOST_QUESTIONS}."
        )
    return document.model_copy(update={"questions": questions})


def normalise_questions(
    bot: Bot | None, parts: Sequence[BacklogQuestionDocument]
) -> list[BacklogQuestionDocument]:
    """Sort the questions by priority; those that name no document keep the ones they have."""
    rows = bot.backlog.all() if bot and bot.pk else ()
    known = {row.key: source_names(row) for row in rows}
    complete = (
        part.model_copy(update={"document": part.document or known.get(part.key, "")})
        for part in parts
    )
    return sorted(complete, key=lambda part: part.priority)


def backlog_changes(bot: Bot, document: BacklogDocument) -> list[Difference]:
    after = BacklogDocument.model_construct(questions=normalise_questions(bot, document.questions))
    return differences(backlog_document(bot).model_dump(mode="json"), after.model_dump(mode="json"))


@transaction.atomic
def apply_backlog(document: BacklogDocument, bot: Bot) -> Bot:
    store_backlog(bot, document.questions)
    return bot


def store_backlog(bot: Bot, parts: Sequence[BacklogQuestionDocument]) -> None:
    """Make the bot's backlog equal to the questions.

    Rows are matched by key, so that they keep their history and sources. Call it in a transaction.
    """
    lock_bot(bot)  # a running draft is stored before or after this
    known = {row.key: row for row in bot.backlog.all()}
    parts = normalise_questions(bot, parts)
    sources = _sources(bot, [part for part in parts if _has_new_sources(part, known)])
    for position, part in enumerate(parts):
        fields: dict[str, Any] = {"text": part.question, "priority": part.priority}
        fields |= {"why": part.why, "position": position}
        if part.key in sources:
            fields["sources"] = sources[part.key]
        update_if_changed(known.get(part.key) or BacklogQuestion(bot=bot, key=part.key), fields)
    for key in known.keys() - {part.key for part in parts}:
        known[key].delete()


def _has_new_sources(part: BacklogQuestionDocument, known: Mapping[str, BacklogQuestion]) -> bool:
    row = known.get(part.key)
    return row is None or source_names(row) != part.document


def _sources(bot: Bot, parts: Sequence[BacklogQuestionDocument]) -> dict[str, list[Place]]:
    """Return places by key: in the documents that a question names, or in any if it names none."""
    named = {part.key: _names(part.document) for part in parts}
    queries = [
        SourceQuery(part.question, tuple((n, "") for n in named[part.key])) for part in parts
    ]
    return {
        part.key: _named_places(places, named[part.key]) if named[part.key] else places
        for part, places in zip(parts, sources_of(bot, queries), strict=True)
    }


def _names(document: str) -> list[str]:
    return [name for one in document.split(";") if (name := one.strip())][:MOST_SOURCES]


def _named_places(places: Sequence[Place], names: Sequence[str]) -> list[Place]:
    best = {place["document"].casefold(): place for place in places}
    return [
        {**best.get(name.casefold(), {"place": "", "text": ""}), "document": name} for name in names
    ]


def _store(bot: Bot, document: BotDocument) -> None:
    store_backlog(bot, document.backlog)
    if document.summary != summary_of(bot):
        bot.project_context = write_summary(bot, document.summary)  # replaces the cached one


OWN_PARTS = OwnParts(
    write=lambda bot: {"summary": summary_of(bot), "backlog": backlog_document(bot).questions},
    settle=lambda bot, document: {"backlog": normalise_questions(bot, document.backlog)},
    store=_store,
)
