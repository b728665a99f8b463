from collections.abc import Iterable, Sequence

from plans.models import BacklogQuestion, Bot
from plans.models.copies import next_position
from plans.portability.keys import make_own_key
from plans.protocols.knowledge_transfer.analysis.sources import Place, SourceQuery, sources_of
from plans.protocols.knowledge_transfer.analysis.status import lock_bot


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
    pairs = zip(new, _find_places(bot, new), strict=True)
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
    places = _find_places(rows[0].bot, [question.text for question in rows])
    for question, sources in zip(rows, places, strict=True):
        if sources:
            question.sources = sources
            question.save(update_fields=["sources"])


def _find_places(bot: Bot, texts: Sequence[str]) -> list[list[Place]]:
    return sources_of(bot, [SourceQuery(text) for text in texts]) if texts else []
