"""Checks and locks before a fact is changed.

FactError
    Stale      somebody else has changed the facts since they were read
    Invalid    these facts or these words don't allow it
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.db.models import Q

from interviews.models import Fact
from plans.models import Bot

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
    facts = Fact.objects.select_for_update(of=("self",)).select_related("session")
    family = facts.filter(Q(pk__in=keys) | Q(merged_into__in=keys))
    return list(family.defer("session__state").order_by("pk"))


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
        raise Invalid("One of them is merged already. Take it apart first.")
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
