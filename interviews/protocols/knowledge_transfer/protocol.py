"""Knowledge transfer: the backlog's questions, by priority, one after another."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interviews.engine.types import (
    BacklogItem,
    FoundFact,
    Interviewing,
    Move,
    Need,
    Partials,
    Readings,
    Utterance,
)
from interviews.protocols.knowledge_transfer.here import (
    Here,
    NextMove,
    options_of,
    project_of,
    put,
    say,
)
from interviews.protocols.knowledge_transfer.state import KnowledgeTransferState
from interviews.words import RULES, Kind, Status
from plans.content import PlanContent
from plans.content.knowledge_transfer import KnowledgeTransferMaterial


class KnowledgeTransfer(Interviewing[KnowledgeTransferState, KnowledgeTransferMaterial]):
    """The protocol of the module's docstring."""

    name = "knowledge_transfer"
    state = KnowledgeTransferState
    products: tuple[str, ...] = ("summary", "transfer_summary")
    most_calls: int | None = 4

    def begin(self, plan: PlanContent[Any], language: str) -> KnowledgeTransferState:
        """Before the first question: the plan's backlog, all of it open."""
        return KnowledgeTransferState(
            items=tuple(
                BacklogItem(id=q.key, text=q.text, priority=q.priority, origin=q.origin)
                for q in plan.material.questions
            )
        )

    def intro(self, now: Here) -> Utterance:
        """Who speaks, what is handed over, how many questions."""
        rounds = str(options_of(now).rounds)
        text = say(now.language, "intro", project=project_of(now), rounds=rounds)
        return Utterance(Kind.INTRO, text)

    def step(self, now: Here, readings: Readings) -> Need | NextMove:
        """See the module's docstring."""
        if now.received.trigger == "opening":
            return _ask(now, now.state, "first")
        state = _answered(now) if now.received.trigger == "user_answer" else _skipped(now)
        found = state.facts[len(now.state.facts) :]
        return replace(_ask(now, state, "onward"), facts=found)

    def draft(self, now: Here, readings: Readings, partials: Partials) -> str:
        """Nothing is written by a model."""
        return ""

    def exit(self, now: Here, readings: Readings) -> NextMove:
        """The participant ends it."""
        return _end(now, now.state, "stopped_by_participant", Status.STOPPED)

    def again(self, now: Here) -> Utterance:
        """The open question as it was put last."""
        return put(now.state.open)

    def standing(self, now: Here) -> Mapping[str, Any]:
        """The open question and its round."""
        return {"question": now.state.open_id, "round": now.state.round}

    def backlog(self, state: KnowledgeTransferState) -> tuple[BacklogItem, ...]:
        """All questions, those that came up in the interview last."""
        return state.items


def _with(state: KnowledgeTransferState, item: BacklogItem) -> KnowledgeTransferState:
    items = tuple(item if one.id == item.id else one for one in state.items)
    return state.model_copy(update={"items": items})


def _answered(now: Here) -> KnowledgeTransferState:
    position, item = now.received.position, now.state.open
    closed = replace(
        item,
        status="ANSWERED_BY_INTERVIEW",
        answer=now.answer,
        position=position,
        confidence=0.6,
    )
    fact = FoundFact(f"{item.text} {now.answer}", position, item.id, 0.6, RULES)
    state = _with(now.state, closed)
    return state.model_copy(update={"facts": (*state.facts, fact)})


def _skipped(now: Here) -> KnowledgeTransferState:
    return _with(now.state, replace(now.state.open, status="SKIPPED"))


def _open(state: KnowledgeTransferState) -> list[BacklogItem]:
    left = [i for i in state.items if i.status == "OPEN" and i.priority != "P2" and not i.round]
    return sorted(left, key=lambda item: item.priority)


def _ask(now: Here, state: KnowledgeTransferState, key: str) -> NextMove:
    left, rounds = _open(state), options_of(now).rounds
    if not left:
        return _end(now, state, "backlog_answered", Status.COMPLETED)
    if state.round >= rounds:
        return _end(now, state, "rounds_used", Status.COMPLETED)
    name = f", {now.name}" if now.name else ""
    text = say(now.language, key, name=name, question=left[0].text)
    item = replace(left[0], round=state.round + 1, asked=text)
    moved = _with(state, item).model_copy(update={"open_id": item.id, "round": item.round})
    return Move(
        state=moved,
        utterances=(put(item),),
        reason=key,
        progress=(item.round, rounds, "rounds"),
        remaining=min(len(left) - 1, rounds - item.round),
    )


def _end(now: Here, state: KnowledgeTransferState, reason: str, status: Status) -> NextMove:
    begins = "ended" if status == Status.COMPLETED else "stopped"
    text = f"{say(now.language, begins)} {say(now.language, 'goodbye')}"
    return Move(
        state=state,
        utterances=(Utterance(Kind.OUTRO, text),),
        reason=reason,
        status=status,
        progress=(state.round, options_of(now).rounds, "rounds"),
        remaining=0,
    )


PROTOCOL = KnowledgeTransfer()
