"""A whole interview in the hand: no database, and a model that is a function.

What is a protocol's own (its material, its plan, its model's replies) is in a file beside this one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Generic, Self

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.common_rules import decide, rules_reading
from interviews.engine.context import M, Received, S, TranscriptLine, Trigger, TurnContext
from interviews.engine.protocol import InterviewProtocol
from interviews.engine.result import NeedsCalls, TaskCall, TurnResult
from llm.tasks.outcome import Outcome, Source
from plans.protocols import PlanContent

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def offline(inquiry: TaskCall) -> Outcome[Any]:
    """No model at all."""
    return Outcome(inquiry.task.fallback(inquiry.data), Source.FALLBACK, "offline")


@dataclass
class Leading(Generic[S, M]):
    """One interview: what was said, done and asked of the model. It is opened when it is made."""

    protocol: ClassVar[InterviewProtocol[Any, Any]]

    made: M
    model: Callable[[TaskCall], Outcome[Any]] = offline
    language: str = "en"
    name: str = "Ann"
    seconds: float = 45.0  # between question and answer
    given: dict[str, str] = field(default_factory=dict)
    at: datetime = NOON
    away: float = field(default=0.0, init=False)  # seconds paused before the next answer
    lines: list[TranscriptLine] = field(default_factory=list, init=False)
    moves: list[TurnResult[S]] = field(default_factory=list, init=False)
    inquiries: list[list[TaskCall]] = field(default_factory=list, init=False)  # by turn
    turns: list[tuple[TurnContext[S, M], dict[str, Outcome[Any]]]] = field(
        default_factory=list, init=False
    )

    def __post_init__(self) -> None:
        self.plan = self.planned()
        self.state: S = self.protocol.begin(self.plan, self.language)
        self._turn("", "opening")

    def planned(self) -> PlanContent[Any]:
        """The plan around the material."""
        raise NotImplementedError

    def say(self, text: str, trigger: Trigger = "user_answer") -> TurnResult[S]:
        """One answer, or a button pressed, and the reply to it."""
        self.at += timedelta(seconds=self.seconds)
        return self._turn(text, trigger)

    def all(self, texts: Iterable[str]) -> Self:
        """Several answers, as long as it goes on."""
        for text in texts:
            if self.over:
                break
            self.say(text)
        return self

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.last.status != "WAITING_ANSWER"

    @property
    def last(self) -> TurnResult[S]:
        """The last move."""
        return self.moves[-1]

    @property
    def said(self) -> str:
        """The last reply."""
        return "\n".join(utterance.text for utterance in self.last.utterances)

    def keys(self, turn: int = -1) -> list[str]:
        """The keys of what was asked of models in a turn."""
        return [inquiry.key for inquiry in self.inquiries[turn]]

    def here(self, text: str, trigger: Trigger = "user_answer") -> TurnContext[S, M]:
        """What a turn would depend on."""
        received = Received(trigger, text, self.at, self.away, position=len(self.lines) + 1)
        return TurnContext(
            plan=self.plan,
            material=self.made,
            state=self.state.after_time_away(received),
            received=received,
            language=self.language,
            name=self.name,
            turn=len(self.moves),
            transcript=tuple(self.lines[-120:]),
            start_answers=self.given,
        ).renamed()

    def _turn(self, text: str, trigger: Trigger) -> TurnResult[S]:
        now = self.here(text, trigger)
        move = self._settled(now)
        kept = move.strike.entries if move.strike else {}
        self.lines = [replace(one, text=kept.get(one.position, one.text)) for one in self.lines]
        if trigger != "opening":
            self.lines.append(_heard(now.received, move))
        first = len(self.lines) + 1
        self.lines += [
            TranscriptLine(SpeakerRole.INTERVIEWER, u.kind, u.text, u.question, position)
            for position, u in enumerate(move.utterances, first)
        ]
        self.state = self._stored(move.state)
        self.moves.append(move)
        return move

    def _settled(self, now: TurnContext[S, M]) -> TurnResult[S]:
        readings: dict[str, Outcome[Any]] = {}
        self.inquiries.append([])
        rules = rules_reading(self.protocol, now)
        while isinstance(step := decide(self.protocol, now, readings, rules), NeedsCalls):
            missing = [one for one in step.inquiries if one.key not in readings]
            assert missing, "waits for nothing"
            for inquiry in missing:
                self.inquiries[-1].append(inquiry)
                readings[inquiry.key] = self.model(inquiry)
        self.turns.append((now, readings))
        return step

    def _stored(self, state: S) -> S:
        """The state as the next turn finds it: it has been JSON in between."""
        stored = state.mark_spoken(self.at).model_dump_json()
        found: S = self.protocol.state.model_validate_json(stored)
        return found


def _heard(received: Received, move: TurnResult[Any]) -> TranscriptLine:
    """What the transcript keeps of what the participant did."""
    pressed = EntryKind.SKIP if received.trigger == "skip" else EntryKind.USER_ANSWER
    shown = received.text if move.masked is None else move.masked
    if move.strike:
        shown = move.strike.entries.get(received.position, shown)
    kind = move.heard_as or pressed
    return TranscriptLine(SpeakerRole.PARTICIPANT, kind, shown, position=received.position)
