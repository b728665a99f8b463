"""The backlog's questions as what a handover was about."""

from collections.abc import Iterator

from interviews.models import Session
from interviews.protocols.knowledge_transfer.backlog import backlog_in, in_families
from interviews.protocols.knowledge_transfer.state import BacklogItem
from reflections.evidence.topics import Topic

ANSWERED = "ANSWERED_BY_INTERVIEW"


def backlog_topics(session: Session) -> tuple[Topic, ...]:
    """One topic a question, with the follow-ups that it led to."""
    return tuple(_family(items) for items in _with_follow_ups(backlog_in(session)))


def _with_follow_ups(items: tuple[BacklogItem, ...]) -> Iterator[list[BacklogItem]]:
    """Each question with the follow-ups that it led to."""
    family: list[BacklogItem] = []
    for depth, item in in_families(items):
        if depth == 0 and family:
            yield family
            family = []
        family.append(item)
    if family:
        yield family


def _family(items: list[BacklogItem]) -> Topic:
    keys = tuple(item.id for item in items)
    return Topic(
        key=keys[0],
        label=items[0].text,
        questions=frozenset(keys),
        planned=keys,
        answered=frozenset(item.id for item in items if item.status == ANSWERED),
    )
