"""Changes to facts: edit their words, merge several into one, undo a merge, remove them.

Facts that say the same become one: the earliest stands for all, the others under it. No fact is
lost: each keeps its own words and its answer. An interview's state, on which its replay depends,
never changes.

FactError
    Stale      somebody else has changed the facts since they were read
    Invalid    these facts or these words don't allow it
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from interviews.models import Fact
from interviews.models.updates import mark_changed
from plans.models import Bot
from plans.text import tidy

MAX_MERGED = 50  # facts that become one in one go


class FactError(Exception):
    """A change that was refused; the text says why."""


class Stale(FactError):
    pass


class Invalid(FactError):
    pass


def version(facts: Iterable[Fact]) -> str:
    """Return a digest of the facts, which differs once any of them has changed."""
    seen = sorted((fact.pk, fact.text, fact.merged_into_id) for fact in facts)
    return hashlib.sha256(json.dumps(seen).encode()).hexdigest()


def lock_families(keys: Any) -> list[Fact]:
    _lock_bots(keys)
    family = Q(pk__in=keys) | Q(merged_into__in=keys)
    sessions = list(Fact.objects.filter(family).values_list("session", flat=True))
    mark_changed(pk__in=sessions)
    facts = Fact.objects.select_for_update(of=("self",)).select_related("session")
    return list(facts.filter(family).defer("session__state").order_by("pk"))


def _lock_bots(keys: Any) -> None:
    """Lock the bots of these facts until the transaction ends.

    Locking the facts alone could deadlock: merging one into another touches that one too, and
    whoever holds it may be waiting for the first. Turns that add facts don't take this lock.
    """
    bots = Fact.objects.filter(pk__in=keys).values("session__bot")
    list(Bot.objects.filter(pk__in=bots).order_by("pk").select_for_update(no_key=True).only("pk"))


def lock_unchanged(keys: Collection[int], seen: str) -> list[Fact]:
    """Lock these facts and return them, the earliest first.

    Raises Stale if they differ from what was `seen` (a `version`).
    """
    rows = [fact for fact in lock_families(keys) if fact.pk in keys]
    if not rows or version(rows) != seen:
        raise Stale(_what_changed(rows, len(set(keys))))
    return rows


def check_mergeable(facts: Sequence[Fact]) -> None:
    """Raise Invalid if these can't become one. Reads their sessions' bots."""
    if len(facts) < 2:
        raise Invalid("Choose at least two facts to merge.")
    if len(facts) > MAX_MERGED:
        raise Invalid(f"At most {MAX_MERGED} facts can be merged at once.")
    if any(fact.merged_into_id for fact in facts):
        raise Invalid("One of them is merged already. Undo that merge first.")
    bots = {fact.session.bot_id for fact in facts}
    if None in bots:
        raise Invalid("The bot of an interview is deleted, so its facts can't be merged any more.")
    if len(bots) > 1:
        raise Invalid(
            "These facts come from interviews of different bots. Choose those of one bot."
        )


def _what_changed(rows: Sequence[Fact], wanted: int) -> str:
    if len(rows) < wanted:
        return "A fact was deleted meanwhile."
    if any(fact.merged_into_id for fact in rows):
        return "A fact was merged into another one meanwhile."
    editors = sorted((fact.edited_at, fact.edited_by) for fact in rows if fact.edited_at)
    who = editors[-1][1] if editors else "Somebody"
    return f"{who} has changed the words meanwhile."


MAX_LENGTH = 2_000


@transaction.atomic
def write(key: int, text: str, seen: str, editor: str) -> Fact:
    """Give the fact new words by this editor and return it.

    `seen` is the `version` that was read. Raises Stale or Invalid.
    """
    fact = _lock_one(key, seen)
    reword(fact, text, editor)
    return fact


@transaction.atomic
def restore_original(key: int, seen: str) -> Fact:
    """Give the fact the words in which it was extracted. Raises like `write`."""
    fact = _lock_one(key, seen)
    _store(fact, fact.original, "", None)
    return fact


def reword(fact: Fact, text: str, editor: str) -> None:
    """Store the words. Nobody counts as editor of the original ones. Raises Invalid."""
    words = _tidy_text(text)
    if words == fact.original:
        _store(fact, fact.original, "", None)
    elif words != fact.text:
        _store(fact, words, editor, timezone.now())


def _tidy_text(text: str) -> str:
    words = tidy(text)
    if not words:
        raise Invalid("A fact needs words.")
    if len(words) > MAX_LENGTH:
        raise Invalid(f"A fact has at most {MAX_LENGTH:,} characters.")
    return words


def _lock_one(key: int, seen: str) -> Fact:
    [fact] = lock_unchanged([key], seen)
    if fact.merged_into_id:
        raise Invalid("It is merged into another fact. Edit that one, or undo the merge first.")
    return fact


def _store(fact: Fact, text: str, editor: str, at: datetime | None) -> None:
    fact.text, fact.edited_by, fact.edited_at = text, editor, at
    fact.save(update_fields=["text", "edited_by", "edited_at"])


@transaction.atomic
def merge(keys: Collection[int], text: str, seen: str, editor: str) -> Fact:
    """Merge the facts into the earliest, give it these words and return it.

    `seen` is their `version` as it was read. Facts merged into one of them before move along.
    Raises Stale or Invalid.
    """
    facts = lock_unchanged(keys, seen)
    check_mergeable(facts)
    survivor, *others = facts
    reword(survivor, text, editor)
    other_keys = [fact.pk for fact in others]
    moved = Fact.objects.filter(Q(pk__in=other_keys) | Q(merged_into__in=other_keys))
    moved.update(merged_into=survivor)
    return survivor


@transaction.atomic
def unmerge(key: int) -> int:
    """Make facts merged into this one stand by themselves again and return their number.

    Its words stay as they are. Raises Stale if it was deleted.
    """
    if key not in {fact.pk for fact in lock_families([key])}:
        raise Stale("The fact was deleted meanwhile.")
    return Fact.objects.filter(merged_into=key).update(merged_into=None)


@transaction.atomic
def remove(facts: QuerySet[Fact]) -> None:
    """Delete these facts; facts merged into them stand by themselves again."""
    lock_families(facts.values("pk"))  # a concurrent merge waits, then fails as stale
    facts.delete()
