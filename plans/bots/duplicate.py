from django.db import transaction
from django.utils.text import slugify

from plans.models import Bot
from plans.models.copies import clone, copy_name
from plans.protocols import protocol_of
from plans.text import latin


def bot_copy_title(bot: Bot) -> str:
    return copy_name(bot.title[:180], Bot.objects.values_list("title", flat=True))


@transaction.atomic
def duplicate_bot(bot: Bot, title: str = "") -> Bot:
    """Return a new draft with the same settings, texts, topics, fields, backlog and documents.

    It shares scripts, concept and methodology with the original, and whatever was prepared for its
    topics or read in its documents. Reward codes stay with the original, and so does its place on
    the home page.
    """
    scripts, topics = list(bot.scripts.all()), list(bot.topics.prefetch_related("sub_goals"))
    related = [*bot.texts.all(), *bot.data_fields.all(), *bot.backlog.all()]
    title = title or bot_copy_title(bot)
    new = {"title": title, "slug": new_slug(title), "status": Bot.Status.DRAFT}
    off = dict.fromkeys(("public", "is_default", "demo"), False)
    copy = clone(bot, **new, **off, places_gone=0, cells_gone={})
    copy.teams.set(bot.teams.all())  # also where who copies it is in others, too
    copy.scripts.set(scripts)
    for row in related:
        clone(row, bot=copy)
    for topic in topics:
        topic_copy = clone(topic, bot=copy)
        for goal in topic.sub_goals.all():
            clone(goal, topic=topic_copy)
    protocol_of(bot).duplicate(bot, copy)
    protocol_of(copy).prepare(copy)
    return copy


def new_slug(title: str) -> str:
    stem = slugify(latin(title))[:44].strip("-") or "bot"
    taken = set(Bot.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    candidates = (stem if n == 1 else f"{stem}-{n}" for n in range(1, len(taken) + 2))
    return next(slug for slug in candidates if slug not in taken)
