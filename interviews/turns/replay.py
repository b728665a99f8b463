"""An interview made again from what was read in it: plan, stored readings and recorded times.

No model is asked. What comes out must equal what is stored; where it doesn't, the code or the data
is no longer what it was when the interview took place.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interviews.choices import RULES
from interviews.engine import pipeline
from interviews.engine.context import TurnContext
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.result import TurnResult
from interviews.models import Session, TranscriptEntry, Turn
from interviews.protocols import PROTOCOLS
from interviews.turns.store import context_of, plan_content
from interviews.turns.store.load_turn import LINES
from llm.tasks.outcome import Outcome, Source
from llm.tasks.task import Task, all_tasks

TURN_FAILED = "turn_failed"  # made by the last resort, from no reading
BOT_DELETED = "bot_deleted"


def first_difference(session: Session) -> str:
    """Where the interview, made again, first departs from the stored one; empty if nowhere."""
    again = Replay(session)
    for turn in session.turns.filter(status=Turn.Status.DONE).order_by("number"):
        difference = next(again.differences(turn), "")
        if difference:
            return f"turn {turn.number}: {difference}"
    return next(_unequal("state", again.state, again.stored_state), "")


class Replay:
    """The interview as far as it has been made again; `differences` takes it one turn further."""

    def __init__(self, session: Session) -> None:
        self.stored_state: Any = session.state
        self._session = session
        self._name = session.participant.name if session.participant else ""
        self._content = plan_content(session.plan_id)
        self._protocol: InterviewProtocol[Any, Any] = PROTOCOLS[self._content.protocol]
        self._entries = list(session.entries.order_by("position"))
        begun = self._protocol.begin(self._content, session.language)
        self.state: Any = begun.model_dump(mode="json")

    def differences(self, turn: Turn) -> Iterator[str]:
        """What is not as it was in this turn; the state moves on."""
        said = [e for e in self._entries if e.turn_id == turn.pk and e.slot > 0]
        if not said:  # the session was put aside before the reply could be committed
            return
        try:
            move = self._move(turn)
        except (pipeline.NeverSettles, KeyError, ValueError) as error:
            yield f"can't be made again: {error}"
            return
        yield from _unequal("reason", move.reason, turn.decision.get("reason"))
        yield from _unequal("utterances", _spoken(move), [_as_spoken(entry) for entry in said])
        spoken_at = turn.spoken_at or turn.received_at
        self.state = move.state.shown(spoken_at).model_dump(mode="json")

    def _move(self, turn: Turn) -> TurnResult[Any]:
        ctx = self._now(turn)
        if turn.decision.get("reason") == TURN_FAILED:
            question = self._protocol.repeat_question(ctx)
            return TurnResult(state=ctx.state, utterances=(question,), reason=TURN_FAILED)
        return pipeline.replay(self._protocol, ctx, readings_of(turn))

    def _now(self, turn: Turn) -> TurnContext[Any, Any]:
        """All that the turn depended on, as it was then."""
        then = Session(
            pk=self._session.pk,
            state=self.state,
            language=self._session.language,
            start_answers=self._session.start_answers,
            bot_id=None if turn.decision.get("reason") == BOT_DELETED else 0,
        )
        return context_of(then, turn, self._content, self._heard(turn), self._name)

    def _heard(self, turn: Turn) -> Sequence[TranscriptEntry]:
        """The last utterances before this turn's reply."""
        first = min(e.position for e in self._entries if e.turn_id == turn.pk and e.slot > 0)
        return [e for e in self._entries if e.position < first][-LINES:]


def readings_of(turn: Turn) -> dict[str, Outcome[Any]]:
    """What models read in the turn, typed again. Raises KeyError, ValueError for unknown ones."""
    tasks = {task.name: task for task in all_tasks()}
    asked = ((key, kept) for key, kept in turn.readings.items() if kept["source"] != RULES)
    return {key: _reading(tasks[kept["task"]], kept) for key, kept in asked}


def _reading(task: Task[Any, Any], kept: Mapping[str, Any]) -> Outcome[Any]:
    value = kept["value"] if task.output is str else task.output.model_validate(kept["value"])
    return Outcome(value, Source(kept["source"]), kept["reason"], kept.get("echoes", ""))


def _spoken(move: TurnResult[Any]) -> list[tuple[str, str, str, int | None]]:
    return [(str(u.kind), u.text, u.question, u.number) for u in move.utterances]


def _as_spoken(entry: TranscriptEntry) -> tuple[str, str, str, int | None]:
    return entry.kind, entry.text, entry.question, entry.number


def _unequal(what: str, again: Any, stored: Any) -> Iterator[str]:
    """The first place where two values differ, in words."""
    if again == stored:
        return
    if isinstance(again, dict) and isinstance(stored, dict):
        for key in [*stored, *(key for key in again if key not in stored)]:
            yield from _unequal(f"{what}.{key}", again.get(key), stored.get(key))
    else:
        yield f"{what} is {again!r} when made again, and {stored!r} in the database"
