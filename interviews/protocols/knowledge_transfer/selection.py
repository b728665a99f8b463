"""Chooses the next question: the highest priority first, and among those the nearest.

A model chooses while the answer is still being read. Rules guess its choice, so that the guess can
be worded meanwhile. If the model fails or names a closed question, the oldest one is asked.
"""

from dataclasses import dataclass
from functools import lru_cache

from interviews.choices import RULES
from interviews.engine.language.sentences import single_spaced
from interviews.engine.language.terms import terms
from interviews.engine.result import CallResults, TaskCall
from interviews.protocols.knowledge_transfer.context import (
    TransferContext,
    open_questions,
    rounds_left,
)
from interviews.protocols.knowledge_transfer.state import BacklogItem, KnowledgeTransferState
from interviews.protocols.knowledge_transfer.tasks import SELECT, QuestionCandidate, SelectInput

KEY = "select"
MAX_CANDIDATES = 40  # that a model is shown


@dataclass(frozen=True)
class ChosenQuestion:
    item: BacklogItem
    by: str = RULES
    guess: str = ""  # id of the rules' guess, where a model chose
    refused: str = ""  # an id that can't be asked

    def details(self) -> dict[str, str]:
        selected = {"selected": self.item.id, "selected_by": self.by}
        more = {"guess": self.guess, "selection_refused": self.refused}
        return selected | {name: value for name, value in more.items() if value}


def candidates(ctx: TransferContext, state: KnowledgeTransferState) -> list[BacklogItem]:
    left = open_questions(ctx, state)
    return [item for item in left if item.priority == left[0].priority]


def oldest(ctx: TransferContext, state: KnowledgeTransferState) -> ChosenQuestion | None:
    left = candidates(ctx, state)
    return ChosenQuestion(left[0]) if left else None


def guess(ctx: TransferContext) -> BacklogItem | None:
    left = candidates(ctx, ctx.state)
    if not left or not rounds_left(ctx, ctx.state):
        return None
    said = _terms(ctx.answer, ctx.language)
    return max(left, key=lambda item: len(said & _terms(item.text, ctx.language)))


def undecided(ctx: TransferContext, results: CallResults) -> bool:
    several = len(candidates(ctx, ctx.state)) > 1
    return KEY not in results and several and rounds_left(ctx, ctx.state) > 0


def chosen(ctx: TransferContext, results: CallResults) -> ChosenQuestion | None:
    """Return the next of the questions that were open before the answer, or None.

    The model must have been asked if `undecided` says so.
    """
    left = candidates(ctx, ctx.state)
    if not left or not rounds_left(ctx, ctx.state):
        return None
    if len(left) == 1:
        return ChosenQuestion(left[0], "only one open")
    result, nearest = results[KEY], guess(ctx)
    selected_id, guessed_id = single_spaced(result.value.id), nearest.id if nearest else ""
    item = next((item for item in left if item.id == selected_id), None)
    if item is None:
        return ChosenQuestion(left[0], guess=guessed_id, refused=selected_id)
    return ChosenQuestion(item, str(result.source), guess=guessed_id)


def select_call(ctx: TransferContext) -> TaskCall:
    nearest = guess(ctx)
    left = sorted(candidates(ctx, ctx.state), key=lambda item: item != nearest)[:MAX_CANDIDATES]
    data = SelectInput(
        question=ctx.state.reworded or ctx.state.open.asked,
        answer=ctx.answer,
        closed=list(ctx.state.closed),
        candidates=[QuestionCandidate(id=item.id, question=item.text) for item in left],
    )
    return TaskCall(KEY, SELECT, data)


@lru_cache(maxsize=1_024)
def _terms(text: str, language: str) -> frozenset[str]:
    """Cached, since a turn looks at the same texts each time that a reply has grown."""
    return terms(text, language)
