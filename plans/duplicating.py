"""Copies of scripts and bots, down to the last row."""

from collections.abc import Iterable
from typing import TypeVar

from django.db import transaction
from django.db.models import Model
from django.utils.text import slugify

from plans.intelligence.wishes import current, wish
from plans.jobs import Job
from plans.models import Bot, Intelligence, Script, Topic

Row = TypeVar("Row", bound=Model)


def copy_name(name: str, taken: Iterable[str]) -> str:
    """The name with “copy”, and with a number where that is taken."""
    known = set(taken)
    candidates = (f"{name} copy{n}" for n in ["", *(f" {i}" for i in range(2, len(known) + 3))])
    return next(c for c in candidates if c not in known)


def script_copy_name(script: Script) -> str:
    """A free name for a copy of the script, within the field's length."""
    taken = Script.objects.filter(language=script.language).values_list("name", flat=True)
    return copy_name(script.name[:180], taken)


@transaction.atomic
def duplicate_script(script: Script, name: str = "") -> Script:
    """A new script with the same texts, sections and questions. No bot uses it yet."""
    sections = list(script.sections.prefetch_related("questions"))
    copy = _clone(script, name=name or script_copy_name(script))
    for section in sections:
        questions = list(section.questions.all())
        section_copy = _clone(section, script=copy)
        for question in questions:
            _clone(question, section=section_copy)
    return copy


def bot_copy_title(bot: Bot) -> str:
    """A free title for a copy of the bot, within the field's length."""
    return copy_name(bot.title[:180], Bot.objects.values_list("title", flat=True))


@transaction.atomic
def duplicate_bot(bot: Bot, title: str = "") -> Bot:
    """A new draft with the same settings, texts, topics and fields, asking the same scripts.

    Reward codes stay with the first one; what was prepared for its topics holds for both.
    """
    scripts, topics = list(bot.scripts.all()), list(bot.topics.prefetch_related("sub_goals"))
    hanging = [*bot.texts.all(), *bot.data_fields.all(), *_prepared(bot)]
    title = title or bot_copy_title(bot)
    copy = _clone(
        bot, title=title, slug=free_slug(title), status=Bot.Status.DRAFT, is_default=False
    )
    copy.scripts.set(scripts)
    for row in hanging:
        _clone(row, bot=copy)
    for topic in topics:
        _duplicate_topic(topic, copy)
    wish(copy)
    return copy


def _prepared(bot: Bot) -> list[Intelligence]:
    """The finished intelligence for the bot as it stands."""
    row = current(bot)
    return [row] if row and row.status == Job.Status.READY else []


def _duplicate_topic(topic: Topic, bot: Bot) -> None:
    copy = _clone(topic, bot=bot)
    for goal in topic.sub_goals.all():
        _clone(goal, topic=copy)


def free_slug(title: str) -> str:
    """An address made of the title that no bot has yet."""
    stem = slugify(title)[:44] or "bot"
    taken = set(Bot.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    candidates = (stem if n == 1 else f"{stem}-{n}" for n in range(1, len(taken) + 2))
    return next(slug for slug in candidates if slug not in taken)


def _clone(row: Row, **changes: object) -> Row:
    """A saved copy of the row without what hangs on it."""
    fields = {f.attname: getattr(row, f.attname) for f in row._meta.concrete_fields}
    for name in ("id", "created_at", "updated_at", *changes, *(f"{c}_id" for c in changes)):
        fields.pop(name, None)
    return type(row)._default_manager.create(**fields, **changes)
