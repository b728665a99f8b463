"""Knowledge transfers: documents, what was made of them, and a backlog of questions."""

from pydantic import ValidationError

from plans.content.knowledge_transfer import KnowledgeTransferOptions
from plans.kinds.base import Draft, Item, Kind
from plans.kinds.needs import language_items
from plans.models import Bot


def options_of(bot: Bot) -> KnowledgeTransferOptions:
    """The bot's options; the standard ones where what is stored doesn't fit."""
    try:
        return KnowledgeTransferOptions.model_validate(bot.options)
    except ValidationError:
        return KnowledgeTransferOptions()


def languages(draft: Draft) -> list[str]:
    """Those that the options name."""
    return list(options_of(draft.bot).languages)


def needs(draft: Draft) -> list[Item]:
    """Known languages, and questions that would be asked."""
    rows = _backlog_items(draft.bot) if draft.rows else []
    return [*language_items(options_of(draft.bot).languages), *rows]


def _backlog_items(bot: Bot) -> list[Item]:
    asked = bot.backlog.exclude(priority="P2").count()
    hint = "Upload documents, or write questions under Backlog."
    return [Item(f"Questions to ask: {asked}", asked > 0, hint)]


KIND = Kind(
    title="Knowledge transfer",
    summary="Talks with somebody who hands over a job or a project: it has read the files, asks "
    "what they don't say, and leaves facts and an onboarding package for the successor.",
    parts=frozenset({"backlog"}),
    languages=languages,
    needs=needs,
)
