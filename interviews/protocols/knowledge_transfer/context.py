from dataclasses import replace
from functools import partial
from pathlib import Path

from interviews.choices import EntryKind
from interviews.engine.context import TurnContext
from interviews.engine.guards import names_closed
from interviews.engine.language.sentences import ends_asking, spaced_sentences
from interviews.engine.language.terms import terms
from interviews.engine.result import LAST, TurnResult, Utterance, closing_question
from interviews.engine.texts import fixed
from interviews.protocols.knowledge_transfer.state import BacklogItem, KnowledgeTransferState
from plans.protocols.knowledge_transfer.content import KnowledgeTransferMaterial, QuestionMaterial

FOLDER = Path(__file__).parent / "texts"
say = partial(fixed, folder=FOLDER)
FOLLOW_UP, DISCOVERED = "FOLLOW_UP", "DISCOVERED"  # origins of questions that come up
CLOSING = "LAST"  # origin of the closing question
OPEN, ANSWERED, SKIPPED = "OPEN", "ANSWERED_BY_INTERVIEW", "SKIPPED"
NOT_KNOWN = "NOT_KNOWN"
NEVER_ASKED = "P2"

TransferContext = TurnContext[KnowledgeTransferState, KnowledgeTransferMaterial]
NextMove = TurnResult[KnowledgeTransferState]


def project_name(ctx: TransferContext) -> str:
    return ctx.material.options.project or ctx.plan.title_in(ctx.language)


def rounds_left(ctx: TransferContext, state: KnowledgeTransferState) -> int:
    if state.last_asked or state.ends_early:
        return 0
    return max(0, ctx.material.options.rounds - state.round)


def open_questions(ctx: TransferContext, state: KnowledgeTransferState) -> list[BacklogItem]:
    """Return what can be asked besides the open question, by priority, then oldest first."""
    left = [
        item
        for item in state.items
        if item.status == OPEN
        and item.priority != NEVER_ASKED
        and item.id != state.open_id
        and not _asks_closed(ctx, state, item)
    ]
    return sorted(left, key=lambda item: item.priority)


def is_closed(ctx: TransferContext, state: KnowledgeTransferState, text: str) -> bool:
    """Return whether the text speaks of a subject that they don't want to talk about."""
    return bool(state.closed) and names_closed(text, state.closed, ctx.language)


def _asks_closed(ctx: TransferContext, state: KnowledgeTransferState, item: BacklogItem) -> bool:
    """Return whether it asks about a closed subject: a planned one names most of its words."""
    if item.origin in (FOLLOW_UP, DISCOVERED) or not state.closed:
        return is_closed(ctx, state, item.text)
    said = terms(item.text, ctx.language)
    names = (terms(subject, ctx.language) for subject in state.closed)
    return any(2 * len(said & name) > len(name) for name in names)


def in_backlog_language(ctx: TransferContext) -> bool:
    return ctx.language == ctx.material.options.languages[0]


def remaining_questions(ctx: TransferContext, state: KnowledgeTransferState) -> int:
    return min(len(open_questions(ctx, state)), rounds_left(ctx, state))


def root_of(state: KnowledgeTransferState, item: BacklogItem) -> BacklogItem:
    """Return the question that a follow-up goes back to, through other follow-ups; else itself."""
    while item.origin == FOLLOW_UP:
        item = state.item(item.parent)
    return item


def planned_question(ctx: TransferContext, item: BacklogItem) -> QuestionMaterial | None:
    """Return the plan's question that this one is or came from, or None."""
    written = {question.key: question for question in ctx.material.questions}
    while item.id not in written and item.parent:
        item = ctx.state.item(item.parent)
    return written.get(item.id)


def with_item(state: KnowledgeTransferState, item: BacklogItem) -> KnowledgeTransferState:
    items = tuple(item if one.id == item.id else one for one in state.items)
    return state.but(items=items)


def ask_item(state: KnowledgeTransferState, item: BacklogItem, text: str) -> KnowledgeTransferState:
    asked = replace(item, round=state.round + 1, asked=text)
    return with_item(state, asked).but(open_id=item.id, round=asked.round)


def ask_last(ctx: TransferContext, state: KnowledgeTransferState) -> KnowledgeTransferState:
    """Return the state with the closing question open, which takes no round."""
    text = say(ctx.language, "last", state.round)
    item = BacklogItem(LAST, text, "P1", CLOSING, round=state.round, asked=text)
    return state.but(items=(*state.items, item), open_id=LAST, last_asked=True)


def as_utterance(item: BacklogItem) -> Utterance:
    if item.origin == CLOSING:
        return closing_question(item.asked)
    kind = EntryKind.FOLLOW_UP if item.origin == FOLLOW_UP else EntryKind.QUESTION
    return Utterance(kind, item.asked or item.text, item.id, item.round or None)


def question_alone(item: BacklogItem) -> Utterance:
    questions = [part for part in spaced_sentences(item.asked) if ends_asking(part)]
    text = questions[-1] if questions else item.asked or item.text
    return replace(as_utterance(item), text=text)
