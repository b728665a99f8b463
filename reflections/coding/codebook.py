"""A study's codebook: the codes of a bot and of the other bots of its experiments."""

from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from interviews.exports.selection import Selection
from interviews.models import Session, TranscriptEntry, updates
from plans.bots.teams import visible
from plans.models import Bot
from plans.models.experiment import study_of
from reflections.models import CodebookCode, Excerpt

LONGEST_NAME = 100
Codes = dict[int, CodebookCode]


class CodingRefused(Exception):
    """It can't be coded like this; the message says what to do."""


def codes_of(bot: Bot, user: Any) -> Codes:
    """Return the codes of the bot's study that the user may see, by key, in the order of names."""
    return _by_key(visible(CodebookCode.objects.filter(bot__in=study_of(bot)), user))


def selected_codes(selection: Selection) -> Codes:
    """Return the codes of the selected interviews' bots, and others that were used in them."""
    sessions = selection.with_content().order_by()
    bots = Q(bot__in=sessions.values("bot"))
    if selection.bot and not selection.sessions:
        bots |= Q(bot=selection.bot)
    own = selection.limit(CodebookCode.objects.filter(bots)).values("pk")
    used = Excerpt.objects.filter(session__in=sessions).values("code")
    return with_those_above(CodebookCode.objects.filter(Q(pk__in=own) | Q(pk__in=used)))


def with_those_above(codes: QuerySet[CodebookCode]) -> Codes:
    found = _by_key(codes)
    while above := {code.parent_id for code in found.values() if code.parent_id} - found.keys():
        found |= _by_key(CodebookCode.objects.filter(pk__in=above))
    return found


def _by_key(codes: QuerySet[CodebookCode]) -> Codes:
    return {code.pk: code for code in codes.select_related("bot").order_by("name", "pk")}


def path_of(code: CodebookCode, codes: Codes) -> list[CodebookCode]:
    """Return the codes from the top down to this one."""
    path = [code]
    while (above := codes.get(path[0].parent_id or 0)) and above not in path:
        path.insert(0, above)
    return path


def in_levels(codes: Codes) -> list[tuple[int, CodebookCode]]:
    """Return each code with its depth, those below a code right after it."""
    paths = [path_of(code, codes) for code in codes.values()]
    paths.sort(key=lambda path: [(code.name.casefold(), code.pk) for code in path])
    return [(len(path) - 1, path[-1]) for path in paths]


@transaction.atomic
def find_or_create(bot: Bot, name: str, user: Any, description: str = "") -> CodebookCode:
    """Return the study's code of that name, whatever its case. Raises CodingRefused without one."""
    name = tidy(name)
    if not name:
        raise CodingRefused("Choose a code, or write the name of a new one.")
    lock(bot)
    wanted = name.casefold()
    known = (one for one in codes_of(bot, user).values() if one.name.casefold() == wanted)
    return next(known, None) or CodebookCode.objects.create(
        bot=bot, name=name, description=description, created_by=user.get_username()
    )


@transaction.atomic
def change_code(
    bot: Bot, user: Any, key: int, name: str, description: str, parent: str
) -> tuple[str, str]:
    """Store a code's name, description and the code it is below. Raises CodingRefused.

    Return its name before and now.
    """
    lock(bot)
    codes, name = codes_of(bot, user), tidy(name)
    code = codes.get(key)
    if code is None:
        raise CodingRefused("This code has been deleted.")
    if not name:
        raise CodingRefused("Write the code’s name.")
    if any(one.name.casefold() == name.casefold() for one in codes.values() if one != code):
        raise CodingRefused(f"There is another code called “{name}”.")
    above = _above(code, tidy(parent), codes)
    if above and code in path_of(above, codes):
        raise CodingRefused("A code can’t be below itself.")
    before = code.name
    code.name, code.description, code.parent = name, description.strip(), above
    code.save(update_fields=["name", "description", "parent"])
    return before, name


def _above(code: CodebookCode, name: str, codes: Codes) -> CodebookCode | None:
    """Return the code of that name: the one that it is below already, if it has the name."""
    if not name:
        return None
    named = [one for one in codes.values() if one.name.casefold() == name.casefold()]
    if not named:
        raise CodingRefused(f"There is no code called “{name}”.")
    return next((one for one in named if one.pk == code.parent_id), named[0])


def delete_code(bot: Bot, user: Any, key: int) -> None:
    """Delete a code with its excerpts; codes below it move up to the top."""
    if code := codes_of(bot, user).get(key):
        code.delete()


@transaction.atomic
def merge_codes(bot: Bot, user: Any, key: int, into: int) -> tuple[str, str]:
    """Give a code's excerpts, and the codes below it, to another one, and delete it.

    Return the names of both. Raises CodingRefused.
    """
    lock(bot)
    codes = codes_of(bot, user)
    code, other = codes.get(key), codes.get(into)
    if code is None or other is None:
        raise CodingRefused("This code has been deleted.")
    if code in path_of(other, codes):
        raise CodingRefused("A code can’t be merged into itself or one below it.")
    mark_changed({key, into})
    for excerpt in code.excerpts.all():
        place = {"entry": excerpt.entry_id, "start": excerpt.start, "end": excerpt.end}
        if same := other.excerpts.filter(**place).first():
            _note(same, excerpt.memo)
            if same.against != excerpt.against:
                side = "against" if excerpt.against else "for"
                _note(same, f"Spoke {side} “{code.name}”, which was merged into this code.")
        else:
            excerpt.code = other
            excerpt.save(update_fields=["code"])
    code.children.update(parent=other)
    if not other.description:
        other.description = code.description
        other.save(update_fields=["description"])
    code.delete()
    return code.name, other.name


def mark_changed(codes: Collection[int], *sessions: UUID) -> None:
    """Have exports of changes bring these interviews, and those with excerpts under the codes.

    The paths of the codes below them change, too.
    """
    under = below = {*codes}
    while below:
        children = CodebookCode.objects.filter(parent__in=below)
        below = {*children.values_list("pk", flat=True)} - under
        under |= below
    keys = {*sessions, *Excerpt.objects.filter(code__in=under).values_list("session", flat=True)}
    updates.mark_changed(pk__in=keys)


def add_excerpt(
    entry: TranscriptEntry, code: CodebookCode, start: int, end: int, by: str, **fields: Any
) -> Excerpt:
    """Store a passage without the white space at its ends. Raises CodingRefused if it is empty."""
    words = entry.text[start:end]
    start, end = start + len(words) - len(words.lstrip()), start + len(words.rstrip())
    if start >= end:
        raise CodingRefused("Select some words first.")
    place = {"entry": entry, "code": code, "start": start, "end": end}
    fields |= {"session": entry.session, "created_by": by}
    excerpt, new = Excerpt.objects.get_or_create(**place, defaults=fields)
    if not new:
        _note(excerpt, fields.get("memo", ""))
    return excerpt


def _note(excerpt: Excerpt, memo: str) -> None:
    """Add a memo to that of the excerpt, unless it stands there already."""
    if memo and f"\n{memo}\n" not in f"\n{excerpt.memo}\n":
        excerpt.memo = "\n".join(filter(None, (excerpt.memo, memo)))
        excerpt.save(update_fields=["memo"])


def excerpts_in(session: Session, codes: Collection[int]) -> Iterable[Excerpt]:
    rows = Excerpt.objects.filter(session=session, code__in=codes)
    return rows.select_related("entry", "code").order_by("entry__position", "start", "-end", "id")


def tidy(name: str) -> str:
    return " ".join(name.split())[:LONGEST_NAME].rstrip()


def lock(bot: Bot) -> None:
    """Wait for others who change the bot's codes, until the transaction ends."""
    Bot.objects.select_for_update(no_key=True).filter(pk=bot.pk).values_list("pk").first()
