from dataclasses import dataclass

from interviews.engine.context import ProtocolState


@dataclass(frozen=True, slots=True)
class BacklogItem:
    id: str  # followup-… and discovered-… for those that came up in the interview
    text: str
    priority: str  # P0, P1, P2
    origin: str  # ANALYSIS, ADMIN, FOLLOW_UP, DISCOVERED, LAST
    parent: str = ""  # id of the question whose answer it came from
    status: str = "OPEN"  # OPEN, ANSWERED_BY_INTERVIEW, NOT_KNOWN, SKIPPED
    round: int = 0  # in which it was asked; 0: not yet; of the closing question: the last one
    asked: str = ""  # as it was put, in the conversation
    answer: str = ""  # the participant's words
    position: int = 0  # of the answer in the transcript
    confidence: float | None = None  # 0.3, 0.6, 0.9 once it is answered; None: not judged


@dataclass(frozen=True, slots=True)
class FoundFact:
    """Something that an answer brought to light; clear without its question."""

    text: str  # empty if it was struck
    position: int  # of the answer in the transcript
    question: str  # id of the question that it answers
    confidence: float  # of the answer: 0.3, 0.6, 0.9
    source: str  # model, fallback model
    corrects: tuple[int, ...] = ()  # numbers of earlier facts, from 1, that it takes the place of
    contradicts: tuple[int, ...] = ()  # the same of those that can't hold beside it


@dataclass(frozen=True, slots=True)
class NamedPerson:
    name: str
    about: str  # who they are and what they decide or know; empty if nobody has said it
    position: int  # of the answer in the transcript


class KnowledgeTransferState(ProtocolState):
    items: tuple[BacklogItem, ...]
    open_id: str  # of the question that waits for an answer; before the first: that one
    round: int = 0  # of the open question; also how many were asked so far
    facts: tuple[FoundFact, ...] = ()
    people: tuple[NamedPerson, ...] = ()

    @property
    def corrected(self) -> set[int]:
        """Return the numbers of facts that later ones have taken the place of, or that are gone."""
        gone = {number for number, fact in enumerate(self.facts, start=1) if not fact.text}
        return gone | {number for fact in self.facts for number in fact.corrects}

    def standing(self, number: int) -> str:
        """Return how the fact of that number stands to others, as the admin says it."""
        later = list(enumerate(self.facts, start=1))
        return "; ".join(
            [
                *(f"Corrected by fact {n}" for n, fact in later if number in fact.corrects),
                *(f"Contradicted by fact {n}" for n, fact in later if number in fact.contradicts),
            ]
        )

    def item(self, item_id: str) -> BacklogItem:
        """Return the question with that id. Raises StopIteration."""
        return next(item for item in self.items if item.id == item_id)

    @property
    def open(self) -> BacklogItem:
        return self.item(self.open_id)
