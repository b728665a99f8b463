"""Run a stored interview again from its recorded results, without calling models.

The outcome must equal what is stored; otherwise the code or the data has changed since.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from interviews.choices import RULES, TURN_FAILED
from interviews.engine import pipeline, strikes
from interviews.engine.context import AnyContext
from interviews.engine.pipeline import Ask
from interviews.engine.result import AnyResult, TurnResult
from interviews.models import Session, TranscriptEntry, Turn
from interviews.protocols import PROTOCOLS
from interviews.turns.store import context_of, plan_content
from interviews.turns.store.load_turn import LINES
from llm.tasks.outcome import Outcome, Source
from llm.tasks.task import Task, all_tasks

BOT_DELETED = "bot_deleted"


def first_difference(session: Session) -> str:
    """Describe where a replay first departs from the stored interview; empty if nowhere."""
    again = Replay(session)
    for turn in session.turns.filter(status=Turn.Status.DONE).order_by("number"):
        difference = next(again.differences(turn), "")
        if difference:
            return f"turn {turn.number}: {difference}"
    return next(_compare("state", again.state, again.stored_state), "")


@dataclass(frozen=True)
class Alternative:
    """What was said in a turn, and what would be said now."""

    turn: int
    answer: str
    said: str
    would_say: str


def alternatives(session: Session, ask: Ask) -> Iterator[Alternative]:
    """Ask models again in each turn, with the interview up to it as it was.

    Ends where the interview no longer comes out as it was. `ask` makes one call.
    """
    again = Replay(session)
    for turn in session.turns.filter(status=Turn.Status.DONE).order_by("number"):
        alternative = again.alternative(turn, ask)
        if any([*again.differences(turn)]):
            return
        if alternative:
            yield alternative


class Replay:
    """An interview replayed turn by turn, in order, by calling `differences`."""

    def __init__(self, session: Session) -> None:
        self.stored_state: Any = session.state
        self._session = session
        self._name = session.participant.name if session.participant else ""
        self._content = plan_content(session.plan_id)
        self._protocol = PROTOCOLS[self._content.protocol]
        self._entries = list(session.entries.order_by("position"))
        begun = self._protocol.begin(self._content, session.language)
        self.state: Any = begun.model_dump(mode="json")

    def differences(self, turn: Turn) -> Iterator[str]:
        reply = [e for e in self._entries if e.turn_id == turn.pk and e.slot > 0]
        if not reply:  # the session was archived before the reply could be committed
            return
        if _is_struck(turn):  # the next one in which words were struck has the state
            return
        try:
            result = self._replay(turn)
        except (pipeline.NeverSettles, KeyError, ValueError) as error:
            yield f"can't be made again: {error}"
            return
        yield from _compare("reason", result.reason, turn.decision.get("reason"))
        said = [(str(u.kind), u.text, u.question, u.number) for u in result.utterances]
        stored = [(e.kind, e.text, e.question, e.number) for e in reply]
        yield from _compare("utterances", said, stored)
        spoken_at = turn.spoken_at or turn.received_at
        self.state = result.state.mark_spoken(spoken_at).model_dump(mode="json")

    def alternative(self, turn: Turn, ask: Ask) -> Alternative | None:
        reply = [e.text for e in self._entries if e.turn_id == turn.pk and e.slot > 0]
        if not reply or _is_struck(turn) or turn.decision.get("reason") == TURN_FAILED:
            return None
        ctx = replace(self._context(turn), remembered={})
        result, _ = asyncio.run(pipeline.run(self._protocol, ctx, ask, lambda draft: None))
        said = " ".join(utterance.text for utterance in result.utterances)
        return Alternative(turn.number, ctx.answer, " ".join(reply), said)

    def _replay(self, turn: Turn) -> AnyResult:
        ctx = self._context(turn)
        if turn.decision.get("reason") == TURN_FAILED:
            question = self._protocol.repeat_question(ctx)
            return TurnResult(state=ctx.state, utterances=(question,), reason=TURN_FAILED)
        return pipeline.replay(self._protocol, ctx, readings_of(turn))

    def _context(self, turn: Turn) -> AnyContext:
        session = Session(
            pk=self._session.pk,
            state=self.state,
            language=self._session.language,
            start_answers=self._session.start_answers,
            bot_id=None if turn.decision.get("reason") == BOT_DELETED else 0,
        )
        return context_of(session, turn, self._content, self._entries_before(turn), self._name)

    def _entries_before(self, turn: Turn) -> Sequence[TranscriptEntry]:
        first = min(e.position for e in self._entries if e.turn_id == turn.pk and e.slot > 0)
        return [e for e in self._entries if e.position < first][-LINES:]


def _is_struck(turn: Turn) -> bool:
    """Return whether words that it rests on were struck in a later turn."""
    return strikes.KEY in turn.readings and turn.readings[strikes.KEY]["value"] is None


def readings_of(turn: Turn) -> dict[str, Outcome[Any]]:
    """Return what models said in a turn, but for tasks that are gone."""
    tasks = {task.name: task for task in all_tasks()}
    return {
        key: _outcome(tasks[row["task"]], row)
        for key, row in turn.readings.items()
        if row["source"] != RULES and row["task"] in tasks
    }


def _outcome(task: Task[Any, Any], row: Mapping[str, Any]) -> Outcome[Any]:
    value = row["value"] if task.output is str else task.output.model_validate(row["value"])
    return Outcome(value, Source(row["source"]), row["reason"], row.get("echoes", ""))


def _compare(what: str, replayed: Any, stored: Any) -> Iterator[str]:
    if replayed == stored:
        return
    if isinstance(replayed, dict) and isinstance(stored, dict):
        for key in [*stored, *(key for key in replayed if key not in stored)]:
            yield from _compare(f"{what}.{key}", replayed.get(key), stored.get(key))
    else:
        yield f"{what} is {replayed!r} when made again, and {stored!r} in the database"
