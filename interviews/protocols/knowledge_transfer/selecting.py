"""Which question comes next: the highest priority first, and among those what is nearest.

A model chooses while the answer is still being read. Rules guess what it will choose, so that the
guess can be put into words meanwhile; an id that is not open, or a failure, gives the oldest.
"""

from dataclasses import dataclass
from functools import lru_cache

from interviews.engine.speech import tidy
from interviews.engine.types import BacklogItem, Inquiry, Readings
from interviews.protocols.knowledge_transfer.here import Here, rounds_left, still_open
from interviews.protocols.knowledge_transfer.state import KnowledgeTransferState
from interviews.protocols.knowledge_transfer.tasks import SELECT, Candidate, SelectInput
from interviews.protocols.technical_assessment.terms import terms
from interviews.words import RULES

KEY = "select"
MOST = 40  # candidates that a model is shown


@dataclass(frozen=True)
class Chosen:
    """The next question, who chose it, and what else was wanted."""

    item: BacklogItem
    by: str = RULES
    guess: str = ""  # id of the rules' guess, where a model chose
    refused: str = ""  # an id that can't be asked

    def details(self) -> dict[str, str]:
        """For the trace."""
        found = {"selected": self.item.id, "selected_by": self.by}
        more = {"guess": self.guess, "selection_refused": self.refused}
        return found | {name: value for name, value in more.items() if value}


def candidates(state: KnowledgeTransferState) -> list[BacklogItem]:
    """What can be asked of the highest priority that is open, oldest first."""
    left = still_open(state)
    return [item for item in left if item.priority == left[0].priority]


def oldest(state: KnowledgeTransferState) -> Chosen | None:
    """The first of the candidates; None where nothing is left."""
    left = candidates(state)
    return Chosen(left[0]) if left else None


def guess(now: Here) -> BacklogItem | None:
    """The candidate nearest to the answer by its words; None where nothing can be asked."""
    left = candidates(now.state)
    if not left or not rounds_left(now, now.state):
        return None
    said = _terms(now.answer, now.language)
    return max(left, key=lambda item: len(said & _terms(item.text, now.language)))


def chosen(now: Here, readings: Readings) -> Chosen | Inquiry | None:
    """The next of what was open before the answer; None where nothing can be asked."""
    nearest = guess(now)
    if nearest is None:
        return None
    left = candidates(now.state)
    if len(left) == 1:
        return Chosen(left[0], "only one open")
    reading = readings.get(KEY)
    if reading is None:
        return _inquiry(now, nearest, left)
    wanted = tidy(reading.value.id)
    found = next((item for item in left if item.id == wanted), None)
    if found is None:
        return Chosen(left[0], guess=nearest.id, refused=wanted)
    return Chosen(found, str(reading.source), guess=nearest.id)


def _inquiry(now: Here, nearest: BacklogItem, left: list[BacklogItem]) -> Inquiry:
    others = [item for item in left if item.id != nearest.id]
    data = SelectInput(
        question=now.state.open.asked,
        answer=now.answer,
        candidates=[
            Candidate(id=item.id, question=item.text) for item in (nearest, *others)[:MOST]
        ],
    )
    return Inquiry(KEY, SELECT, data)


@lru_cache(maxsize=1_024)
def _terms(text: str, language: str) -> frozenset[str]:
    """Kept, since a turn looks at the same texts each time that a reply has grown."""
    return terms(text, language)
