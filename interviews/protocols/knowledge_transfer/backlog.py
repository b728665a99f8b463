"""The backlog of an interview as it stands, also while it runs."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from interviews.models import Session
from interviews.protocols.knowledge_transfer.protocol import PROTOCOL
from interviews.protocols.knowledge_transfer.state import BacklogItem
from interviews.turns.store import plan_content, stored_state

NOT_ASKED = "P2"  # a priority: it stays an open point
FOLLOW_UP = "FOLLOW_UP"  # an origin


class _Source(Protocol):
    document: str


class _PlannedQuestion(Protocol):
    key: str
    sources: Sequence[_Source]


@runtime_checkable
class Sourced(Protocol):
    """Material whose questions come from documents."""

    questions: Sequence[_PlannedQuestion]
    documents: Sequence[Any]


def backlog_in(session: Session) -> tuple[BacklogItem, ...]:
    """Question by question, in their order; nothing where there is no backlog."""
    return backlog_of(session.plan_id, session.state)


def backlog_of(plan_id: int, state: Mapping[str, Any]) -> tuple[BacklogItem, ...]:
    """The same of a state as it is stored, for who has no whole session at hand."""
    known = stored_state(PROTOCOL, plan_id, state)
    return known.items if known else ()


def waits(item: BacklogItem) -> bool:
    """Whether it is open and still to be asked."""
    return item.status == "OPEN" and item.priority != NOT_ASKED


def in_families(items: Iterable[BacklogItem]) -> Iterator[tuple[int, BacklogItem]]:
    """Each question with how far it stands in: follow-ups come right after their parent."""
    under: dict[str, list[BacklogItem]] = defaultdict(list)
    for item in items:
        under[item.parent if item.origin == FOLLOW_UP else ""].append(item)
    waiting = [(0, item) for item in reversed(under.pop("", []))]
    while waiting:
        depth, item = waiting.pop()
        yield depth, item
        waiting += [(depth + 1, one) for one in reversed(under.pop(item.id, []))]
    for orphans in under.values():  # none are expected, and none are to be lost
        yield from ((0, item) for item in orphans)


def documents_behind(plan_id: int, items: Iterable[BacklogItem]) -> dict[str, tuple[str, ...]]:
    """A question's id -> names of the documents that it comes from, by way of its parents."""
    material = plan_content(plan_id).material
    if not isinstance(material, Sourced):
        return {}
    named = {
        question.key: tuple(dict.fromkeys(source.document for source in question.sources))
        for question in material.questions
    }
    parents = {item.id: item.parent for item in items}
    return {one: named.get(_root(one, parents), ()) for one in parents}


def _root(one: str, parents: Mapping[str, str]) -> str:
    """The question of the plan that it goes back to."""
    for _ in parents:  # never more steps than there are questions
        if not parents.get(one):
            break
        one = parents[one]
    return one
