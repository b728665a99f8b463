"""Facts that say the same become one: the earliest stands for all, the others under it.

No fact is lost: each keeps its own words and its answer, and can be taken out again.
"""

from collections.abc import Collection

from django.db import transaction
from django.db.models import Q, QuerySet

from interviews.models import Fact
from interviews.protocols.knowledge_transfer.facts.checks import (
    Stale,
    check_mergeable,
    lock_families,
    lock_unchanged,
)
from interviews.protocols.knowledge_transfer.facts.edit import reword


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
