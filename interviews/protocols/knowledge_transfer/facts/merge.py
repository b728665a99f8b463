"""Facts that say the same become one: the first of them stands for all, the others under it.

None is lost by it: each keeps its own words and its answer, and can be taken out again.
"""

from collections.abc import Collection

from django.db import transaction
from django.db.models import Q, QuerySet

from interviews.models import Fact
from interviews.protocols.knowledge_transfer.facts.checks import Stale, check_together, held, locked
from interviews.protocols.knowledge_transfer.facts.edit import reword


@transaction.atomic
def merge(keys: Collection[int], text: str, seen: str, editor: str) -> Fact:
    """Makes them one with these words, and gives the one that stands for all.

    `seen` is their `version` as it was read. What was merged into one of them before moves along.
    Raises Stale or NotSo, and then nothing is changed.
    """
    facts = locked(keys, seen)
    check_together(facts)
    survivor, *others = facts
    reword(survivor, text, editor)
    gone = [fact.pk for fact in others]
    moved = Fact.objects.filter(Q(pk__in=gone) | Q(merged_into__in=gone))
    moved.update(merged_into=survivor)
    return survivor


@transaction.atomic
def take_apart(key: int) -> int:
    """Makes those that were merged into it facts of their own again; says how many.

    Its words stay as they are. Raises Stale where it is gone.
    """
    if key not in {fact.pk for fact in held([key])}:
        raise Stale("The fact was deleted meanwhile.")
    return Fact.objects.filter(merged_into=key).update(merged_into=None)


@transaction.atomic
def remove(facts: QuerySet[Fact]) -> None:
    """Deletes these facts; what was merged into them stands by itself again."""
    held(facts.values("pk"))  # whoever merges into one of them waits, and is told then
    facts.delete()
