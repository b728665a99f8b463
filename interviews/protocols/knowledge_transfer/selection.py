"""Which question comes next: the highest priority first, and among those what is nearest.

A model chooses while the answer is still being read. Rules guess what it will choose, so that the
guess can be put into words meanwhile; an id that is not open, or a failure, gives the oldest.
"""

from dataclasses import dataclass
from functools import lru_cache

from interviews.choices import RULES
from interviews.engine.language.sentences import single_spaced
from interviews.engine.language.terms import terms
from interviews.engine.result import CallResults, TaskCall
from interviews.protocols.knowledge_transfer.context import TransferContext, rounds_left, still_open
from interviews.protocols.knowledge_transfer.state import BacklogItem, KnowledgeTransferState
from interviews.protocols.knowledge_transfer.tasks import SELECT, QuestionCandidate, SelectInput

KEY = "select"
MOST = 40  # candidates that a model is shown


@dataclass(frozen=True)
class ChosenQuestion:
    """The next question, who chose it, and what else was wanted."""

    item: BacklogItem
    by: str = RULES
    guess: str = ""  # id of the rules' guess, where a model chose
    refused: str = ""  # an id that can't be asked

    def details(self) -> dict[str, str]:
        found = {"selected": self.item.id, "selected_by": self.by}
        more = {"guess": self.guess, "selection_refused": self.refused}
        return found | {name: value for name, value in more.items() if value}


def candidates(state: KnowledgeTransferState) -> list[BacklogItem]:
    """What can be asked of the highest priority that is open, oldest first."""
    left = still_open(state)
    return [item for item in left if item.priority == left[0].priority]


def oldest(state: KnowledgeTransferState) -> ChosenQuestion | None:
    """The first of the candidates; None where nothing is left."""
    left = candidates(state)
    return ChosenQuestion(left[0]) if left else None


def guess(ctx: TransferContext) -> BacklogItem | None:
    """The candidate nearest to the answer by its words; None where nothing can be asked."""
    left = candidates(ctx.state)
    if not left or not rounds_left(ctx, ctx.state):
        return None
    said = _terms(ctx.answer, ctx.language)
    return max(left, key=lambda item: len(said & _terms(item.text, ctx.language)))


def undecided(ctx: TransferContext, results: CallResults) -> bool:
    """Whether the choice has still to be made by a model."""
    return KEY not in results and _asks(ctx)


def chosen(ctx: TransferContext, results: CallResults) -> ChosenQuestion | None:
    """The next of what was open before the answer, once it is decided; None for nothing."""
    left = candidates(ctx.state)
    if not left or not rounds_left(ctx, ctx.state):
        return None
    if len(left) == 1:
        return ChosenQuestion(left[0], "only one open")
    reading, nearest = results[KEY], guess(ctx)
    wanted, near = single_spaced(reading.value.id), nearest.id if nearest else ""
    found = next((item for item in left if item.id == wanted), None)
    if found is None:
        return ChosenQuestion(left[0], guess=near, refused=wanted)
    return ChosenQuestion(found, str(reading.source), guess=near)


def inquiry(ctx: TransferContext) -> TaskCall:
    """The choice as a model is asked for it, the guess first."""
    nearest = guess(ctx)
    left = sorted(candidates(ctx.state), key=lambda item: item != nearest)
    data = SelectInput(
        question=ctx.state.open.asked,
        answer=ctx.answer,
        candidates=[QuestionCandidate(id=item.id, question=item.text) for item in left[:MOST]],
    )
    return TaskCall(KEY, SELECT, data)


def _asks(ctx: TransferContext) -> bool:
    return len(candidates(ctx.state)) > 1 and rounds_left(ctx, ctx.state) > 0


@lru_cache(maxsize=1_024)
def _terms(text: str, language: str) -> frozenset[str]:
    """Kept, since a turn looks at the same texts each time that a reply has grown."""
    return terms(text, language)
