"""Copies of scripts and bots, down to the last row."""

from collections.abc import Iterable
from functools import partial
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Model
from django.utils.text import slugify

from plans.intelligence.wishes import current, wish
from plans.jobs import Job
from plans.knowledge.documents import hand_out
from plans.knowledge.state import is_stale, signature_of
from plans.models import (
    Bot,
    Document,
    DocumentFile,
    DocumentPart,
    Intelligence,
    ProjectContext,
    Script,
    Topic,
)
from plans.models.ladder import LadderFile
from plans.portability.ladders import apply_file, read_file, renamed, sort_of

Row = TypeVar("Row", bound=Model)
A_FEW = 200  # parts of a document at once


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


def ladder_copy_name(row: LadderFile) -> str:
    """A free name for a copy of a concept or a methodology."""
    return copy_name(row.name[:180], type(row)._default_manager.values_list("name", flat=True))


def free_ladder_key(row: LadderFile) -> str:
    """An id that nothing of its sort has."""
    taken = set(type(row)._default_manager.values_list("key", flat=True))
    candidates = (f"{row.key[:50]}_{n}" for n in range(2, len(taken) + 3))
    return next(key for key in candidates if key not in taken)


def duplicate_ladder(row: LadderFile, key: str, name: str) -> LadderFile:
    """The same text under another id and name. Raises BrokenDocument if it can't be read."""
    sort = sort_of(row)
    sort.stored(row.source, row.key)  # only what can be read has an id to replace
    return apply_file(read_file(sort, renamed(row.source, key, name)))


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
    hanging = [*bot.texts.all(), *bot.data_fields.all(), *bot.backlog.all(), *_prepared(bot)]
    documents, context = list(bot.documents.all()), ProjectContext.objects.filter(bot=bot).first()
    title = title or bot_copy_title(bot)
    copy = _clone(
        bot, title=title, slug=free_slug(title), status=Bot.Status.DRAFT, is_default=False
    )
    copy.scripts.set(scripts)
    for row in hanging:
        _clone(row, bot=copy)
    for topic in topics:
        _duplicate_topic(topic, copy)
    for document in documents:
        _duplicate_document(document, copy)
    if context:
        _duplicate_context(context, copy)
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


def _duplicate_document(document: Document, bot: Bot) -> None:
    """With its text, and its file where that is still to be read. Work begun is begun anew."""
    copy = _clone(document, bot=bot, **_unclaimed(document))
    parts = document.parts.values_list("number", "place", "text")
    rows = [DocumentPart(document=copy, number=n, place=p, text=t) for n, p, t in parts]
    DocumentPart.objects.bulk_create(rows, batch_size=A_FEW)
    for file in DocumentFile.objects.filter(document=document):
        _clone(file, document=copy)
    if copy.status == Job.Status.PENDING:
        transaction.on_commit(partial(hand_out, copy.pk))


def _duplicate_context(context: ProjectContext, bot: Bot) -> None:
    """The summary; what it rests on is called by the copies from now on."""
    content = dict(context.content)
    if content and not is_stale(context):
        content["rests_on"] = signature_of(bot)
    _clone(context, bot=bot, content=content, **_unclaimed(context))


def _unclaimed(job: Job) -> dict[str, Any]:
    """The fields of a job that nobody is at."""
    running = job.status == Job.Status.RUNNING
    status = Job.Status.PENDING if running else job.status
    return {"status": status, "claim": None, "claimed_until": None, "attempts": 0}


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
