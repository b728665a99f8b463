"""The backlog of a bot: its questions in the order of asking."""

from collections.abc import Iterable, Sequence

from django.db.models import Max

from plans.models import BacklogQuestion, Bot
from plans.portability.keys import make_own_key
from plans.protocols.knowledge_transfer.analysis.sources import Place, SourceQuery, sources_of
from plans.protocols.knowledge_transfer.analysis.status import lock_bot
from plans.similarity import first_alike


def ordered_questions(bot: Bot) -> list[BacklogQuestion]:
    """All of them, urgent ones first."""
    return list(bot.backlog.order_by("priority", "position", "id"))


def source_names(question: BacklogQuestion) -> str:
    """The documents that it comes from, each once."""
    return "; ".join(dict.fromkeys(source["document"] for source in question.sources))


def add_questions(bot: Bot, texts: Iterable[str]) -> int:
    """New questions at the end, P1, with places in the documents; how many were new.

    What is there word for word is not added again. To be called in a transaction.
    """
    lock_bot(bot)  # or what is just being drafted might take the same key
    there = dict(bot.backlog.values_list("text", "key"))
    new = [text for text in dict.fromkeys(texts) if text not in there]
    taken = set(there.values())
    last = bot.backlog.aggregate(last=Max("position"))["last"]
    first = 0 if last is None else last + 1
    for position, (text, sources) in enumerate(zip(new, _places(bot, new), strict=True), first):
        key = make_own_key(text, taken)
        taken.add(key)
        BacklogQuestion.objects.create(
            bot=bot, key=key, text=text, position=position, sources=sources
        )
    return len(new)


def find_sources(questions: Iterable[BacklogQuestion]) -> None:
    """Places in the documents for questions of one bot that have none."""
    without = [question for question in questions if not question.sources]
    if not without:
        return
    texts = [question.text for question in without]
    for question, sources in zip(without, _places(without[0].bot, texts), strict=True):
        if sources:
            question.sources = sources
            question.save(update_fields=["sources"])


def _places(bot: Bot, texts: Sequence[str]) -> list[list[Place]]:
    return sources_of(bot, [SourceQuery(text) for text in texts]) if texts else []


def similar_pairs(
    questions: Sequence[BacklogQuestion],
) -> list[tuple[BacklogQuestion, BacklogQuestion]]:
    """Pairs of a question and the earlier one that it is like."""
    texts = [question.text for question in questions]
    found = ((q, first_alike(q.text, texts[:i])) for i, q in enumerate(questions))
    return [(question, questions[place]) for question, place in found if place is not None]
