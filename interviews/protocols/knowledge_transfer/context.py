"""Looks at where a knowledge transfer stands that several files need."""

import re
from dataclasses import replace
from pathlib import Path

from interviews.choices import EntryKind
from interviews.engine.context import TurnContext
from interviews.engine.language.sentences import ends_asking, spaced_sentences
from interviews.engine.result import TurnResult, Utterance
from interviews.engine.texts import fixed, has_texts
from interviews.protocols.knowledge_transfer.state import BacklogItem, KnowledgeTransferState
from plans.protocols.knowledge_transfer.content import (
    KnowledgeTransferMaterial,
    KnowledgeTransferOptions,
    QuestionMaterial,
)

FOLDER = Path(__file__).parent / "texts"
FOLLOW_UP, DISCOVERED = "FOLLOW_UP", "DISCOVERED"  # origins of questions that come up
OPEN, ANSWERED, SKIPPED = "OPEN", "ANSWERED_BY_INTERVIEW", "SKIPPED"
NEVER_ASKED = "P2"
NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")

TransferContext = TurnContext[KnowledgeTransferState, KnowledgeTransferMaterial]
NextMove = TurnResult[KnowledgeTransferState]


def options_of(ctx: TransferContext) -> KnowledgeTransferOptions:
    return ctx.material.options


def project_of(ctx: TransferContext) -> str:
    """What is handed over, as participants call it."""
    return options_of(ctx).project or ctx.plan.title_in(ctx.language)


def rounds_left(ctx: TransferContext, state: KnowledgeTransferState) -> int:
    """How many questions may still be asked."""
    return max(0, options_of(ctx).rounds - state.round)


def still_open(state: KnowledgeTransferState) -> list[BacklogItem]:
    """What can be asked besides the open question, by priority, then oldest first."""
    left = [
        item
        for item in state.items
        if item.status == OPEN and item.priority != NEVER_ASKED and item.id != state.open_id
    ]
    return sorted(left, key=lambda item: item.priority)


def remaining(ctx: TransferContext, state: KnowledgeTransferState) -> int:
    """How many questions are still to come, as far as is known now."""
    return min(len(still_open(state)), rounds_left(ctx, state))


def root_of(state: KnowledgeTransferState, item: BacklogItem) -> BacklogItem:
    """The question that a follow-up goes back to, through other follow-ups; else itself."""
    while item.origin == FOLLOW_UP:
        item = state.item(item.parent)
    return item


def written_of(ctx: TransferContext, item: BacklogItem) -> QuestionMaterial | None:
    """The question of the plan that it is, or came from; it knows the sources."""
    written = {question.key: question for question in ctx.material.questions}
    while item.id not in written and item.parent:
        item = ctx.state.item(item.parent)
    return written.get(item.id)


def with_item(state: KnowledgeTransferState, item: BacklogItem) -> KnowledgeTransferState:
    """The state with that question as it stands now."""
    items = tuple(item if one.id == item.id else one for one in state.items)
    return state.model_copy(update={"items": items})


def asking(state: KnowledgeTransferState, item: BacklogItem, text: str) -> KnowledgeTransferState:
    """The state once that question is put, in those words, as the next round."""
    put_now = replace(item, round=state.round + 1, asked=text)
    changes = {"open_id": item.id, "round": put_now.round, "asides": 0}
    return with_item(state, put_now).model_copy(update=changes)


def say(language: str, key: str, turn: int = 0, **words: str) -> str:
    """One of the fixed sentences, filled in; the turn chooses among several wordings."""
    return fixed(language, key, turn=turn, folder=FOLDER, words=words)


def has_words(language: str) -> bool:
    """Whether there are fixed sentences in that language."""
    return has_texts(language, FOLDER)


def put(item: BacklogItem) -> Utterance:
    """A question of the backlog as an utterance, as it was put last."""
    kind = EntryKind.FOLLOW_UP if item.origin == FOLLOW_UP else EntryKind.QUESTION
    return Utterance(kind, item.asked or item.text, item.id, item.round or None)


def put_again(item: BacklogItem) -> Utterance:
    """The same without what led over to it, which has been said: its question alone."""
    asking = [part for part in spaced_sentences(item.asked) if ends_asking(part)]
    return replace(put(item), text=asking[-1] if asking else item.asked or item.text)


def figures(text: str) -> set[str]:
    """The numbers in it, whichever way their decimals are written."""
    return {number.replace(",", ".") for number in NUMBERS.findall(text)}


def shortened(text: str, most: int) -> str:
    """The text, cut to so many characters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
