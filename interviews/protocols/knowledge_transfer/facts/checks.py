"""What is looked at before a fact is changed.

FactError
    Stale    somebody else has changed it since it was read
    NotSo    it can't be done with these facts, or with these words
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.db.models import Q

from interviews.models import Fact
from plans.models import Bot

MOST_AT_ONCE = 50  # facts that become one in one go


class FactError(Exception):
    """It can't be done; the text says why."""


class Stale(FactError):
    """Somebody else has changed it meanwhile."""


class NotSo(FactError):
    """Not with these facts, or not with these words."""


def version(facts: Iterable[Fact]) -> str:
    """What stands in these facts now, as a digest: another one once any of them has changed."""
    seen = sorted((fact.pk, fact.text, fact.merged_into_id) for fact in facts)
    return hashlib.sha256(json.dumps(seen).encode()).hexdigest()


def held(keys: Any) -> list[Fact]:
    """These facts and all that is merged into them, nobody else's until the transaction ends.

    `keys` is what `__in` takes.
    """
    _take_turns(keys)
    facts = Fact.objects.select_for_update(of=("self",)).select_related("session")
    family = facts.filter(Q(pk__in=keys) | Q(merged_into__in=keys))
    return list(family.defer("session__state").order_by("pk"))


def _take_turns(keys: Any) -> None:
    """Whoever changes facts has those of their bots alone until the transaction ends.

    Rows by themselves would not do: to merge one into another touches that one too, and whoever
    holds it may just want the first. A turn that brings new facts doesn't wait for this.
    """
    bots = Fact.objects.filter(pk__in=keys).values("session__bot")
    list(Bot.objects.filter(pk__in=bots).order_by("pk").select_for_update(no_key=True).only("pk"))


def locked(keys: Collection[int], seen: str) -> list[Fact]:
    """These facts, the earliest first, held.

    Raises Stale where they are not what was `seen` (a `version`).
    """
    rows = [fact for fact in held(keys) if fact.pk in keys]
    if not rows or version(rows) != seen:
        raise Stale(_meanwhile(rows, len(set(keys))))
    return rows


def check_together(facts: Sequence[Fact]) -> None:
    """Raises NotSo where these can't become one. Looks at their sessions' bots."""
    if len(facts) < 2:
        raise NotSo("Choose at least two facts to merge.")
    if len(facts) > MOST_AT_ONCE:
        raise NotSo(f"At most {MOST_AT_ONCE} facts can be merged at once.")
    if any(fact.merged_into_id for fact in facts):
        raise NotSo("One of them is merged already. Take it apart first.")
    bots = {fact.session.bot_id for fact in facts}
    if None in bots:
        raise NotSo("The bot of an interview is deleted, so its facts can't be merged any more.")
    if len(bots) > 1:
        raise NotSo("These facts come from interviews of different bots. Choose those of one bot.")


def _meanwhile(rows: Sequence[Fact], wanted: int) -> str:
    """What has happened to them, in words."""
    if len(rows) < wanted:
        return "A fact was deleted meanwhile."
    if any(fact.merged_into_id for fact in rows):
        return "A fact was merged into another one meanwhile."
    editors = sorted((fact.edited_at, fact.edited_by) for fact in rows if fact.edited_at)
    who = editors[-1][1] if editors else "Somebody"
    return f"{who} has changed the words meanwhile."
