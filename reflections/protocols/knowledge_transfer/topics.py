"""The questions of a handover's backlog as topics."""

from collections.abc import Iterator

from interviews.models import Session
from interviews.protocols.knowledge_transfer.backlog import backlog_in, in_families
from interviews.protocols.knowledge_transfer.state import BacklogItem
from reflections.evidence.topics import Topic

ANSWERED = "ANSWERED_BY_INTERVIEW"


def backlog_topics(session: Session) -> tuple[Topic, ...]:
    """Return one topic per question, with the follow-ups that it led to."""
    return tuple(_topic(items) for items in _families(backlog_in(session)))


def _families(items: tuple[BacklogItem, ...]) -> Iterator[list[BacklogItem]]:
    family: list[BacklogItem] = []
    for depth, item in in_families(items):
        if depth == 0 and family:
            yield family
            family = []
        family.append(item)
    if family:
        yield family


def _topic(items: list[BacklogItem]) -> Topic:
    keys = tuple(item.id for item in items)
    return Topic(
        key=keys[0],
        label=items[0].text,
        questions=frozenset(keys),
        planned=keys,
        answered=frozenset(item.id for item in items if item.status == ANSWERED),
    )
