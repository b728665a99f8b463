"""Where a knowledge transfer stands."""

from interviews.engine.types import BacklogItem, FoundFact, State


class KnowledgeTransferState(State):
    """The backlog as it stands, the question that is open, and what has been learned."""

    items: tuple[BacklogItem, ...]
    open_id: str  # of the question that waits for an answer; before the first: that one
    round: int = 0  # of the open question; also how many were asked so far
    facts: tuple[FoundFact, ...] = ()
    asides: int = 0  # questions back in a row

    def item(self, item_id: str) -> BacklogItem:
        """The question with that id. Raises StopIteration."""
        return next(item for item in self.items if item.id == item_id)

    @property
    def open(self) -> BacklogItem:
        """The question that waits for an answer."""
        return self.item(self.open_id)
