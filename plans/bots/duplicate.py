"""Copies of bots, down to the last row."""

from django.db import transaction
from django.utils.text import slugify

from plans.models import Bot, Topic
from plans.models.copies import clone, copy_name
from plans.protocols import protocol_of


def bot_copy_title(bot: Bot) -> str:
    """A free title for a copy of the bot, within the field's length."""
    return copy_name(bot.title[:180], Bot.objects.values_list("title", flat=True))


@transaction.atomic
def duplicate_bot(bot: Bot, title: str = "") -> Bot:
    """A new draft with the same settings, texts, topics, fields, backlog and documents.

    It uses the same scripts, concept and methodology. Reward codes stay with the first one; what
    was prepared for its topics, and what was read in its documents, holds for both.
    """
    scripts, topics = list(bot.scripts.all()), list(bot.topics.prefetch_related("sub_goals"))
    hanging = [*bot.texts.all(), *bot.data_fields.all(), *bot.backlog.all()]
    title = title or bot_copy_title(bot)
    copy = clone(bot, title=title, slug=free_slug(title), status=Bot.Status.DRAFT, is_default=False)
    copy.scripts.set(scripts)
    for row in hanging:
        clone(row, bot=copy)
    for topic in topics:
        _duplicate_topic(topic, copy)
    protocol_of(bot).duplicate(bot, copy)
    protocol_of(copy).prepare(copy)
    return copy


def _duplicate_topic(topic: Topic, bot: Bot) -> None:
    copy = clone(topic, bot=bot)
    for goal in topic.sub_goals.all():
        clone(goal, topic=copy)


def free_slug(title: str) -> str:
    """An address made of the title that no bot has yet."""
    stem = slugify(title)[:44] or "bot"
    taken = set(Bot.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    candidates = (stem if n == 1 else f"{stem}-{n}" for n in range(1, len(taken) + 2))
    return next(slug for slug in candidates if slug not in taken)
