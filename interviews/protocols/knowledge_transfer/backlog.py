from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from interviews.models import Session
from interviews.protocols.knowledge_transfer.context import FOLLOW_UP, NEVER_ASKED, OPEN
from interviews.protocols.knowledge_transfer.protocol import PROTOCOL
from interviews.protocols.knowledge_transfer.state import BacklogItem, KnowledgeTransferState
from interviews.turns.store import plan_content, stored_state
from plans.protocols.knowledge_transfer.content import KnowledgeTransferMaterial


def backlog_of(plan_id: int, state: Mapping[str, Any]) -> tuple[BacklogItem, ...]:
    """Return an interview's backlog, in order; empty for other protocols."""
    current = stored_state(PROTOCOL, plan_id, state)
    return current.items if current else ()


def state_of(session: Session) -> KnowledgeTransferState | None:
    return stored_state(PROTOCOL, session.plan_id, session.state)


def is_waiting(item: BacklogItem) -> bool:
    return item.status == OPEN and item.priority != NEVER_ASKED


def in_families(items: Iterable[BacklogItem]) -> Iterator[tuple[int, BacklogItem]]:
    """Yield each question with its depth; follow-ups come right after their parent."""
    under: dict[str, list[BacklogItem]] = defaultdict(list)
    for item in items:
        under[item.parent if item.origin == FOLLOW_UP else ""].append(item)
    stack = [(0, item) for item in reversed(under.pop("", []))]
    while stack:
        depth, item = stack.pop()
        yield depth, item
        stack += [(depth + 1, child) for child in reversed(under.pop(item.id, []))]
    for orphans in under.values():  # none are expected, and none are to be lost
        yield from ((0, item) for item in orphans)


def documents_behind(plan_id: int, items: Iterable[BacklogItem]) -> dict[str, tuple[str, ...]]:
    """Map question ids to the names of the documents they come from, through their parents."""
    material = plan_content(plan_id).material
    if not isinstance(material, KnowledgeTransferMaterial):
        return {}
    named = {
        question.key: tuple(dict.fromkeys(source.document for source in question.sources))
        for question in material.questions
    }
    parents = {item.id: item.parent for item in items}
    return {item_id: named.get(_planned_ancestor(item_id, parents), ()) for item_id in parents}


def _planned_ancestor(item_id: str, parents: Mapping[str, str]) -> str:
    for _ in parents:  # never more steps than there are questions
        if not parents.get(item_id):
            break
        item_id = parents[item_id]
    return item_id
