import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Generic, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from interviews.choices import EntryKind, SpeakerRole
from interviews.engine.reading import AS_ANSWER, AnswerReading
from plans.protocols import PlanContent

Trigger = Literal["opening", "user_answer", "skip", "stop"]


@dataclass(frozen=True, slots=True)
class Received:
    trigger: Trigger
    text: str
    at: datetime
    away_seconds: float = 0.0  # paused since the interviewer last spoke
    position: int = 0  # of its transcript entry; 0 if it has none


class FrozenState(BaseModel):
    model_config = ConfigDict(frozen=True)

    def but(self, **changes: Any) -> Self:
        """Return a copy with these fields changed."""
        return self.model_copy(update=changes)


class ProtocolState(FrozenState):
    """Where an interview stands, stored with the session. Protocols add fields of their own."""

    asked_at: datetime | None = None  # when the interviewer last spoke
    awaiting: Literal["", "stop", "care"] = ""  # the yes or no that a common rule waits for
    unclear: int = 0  # answers in a row that chose nothing; replies.HEARD before the end
    sealed: bool = False  # the next answer is confidential: its words are never stored in clear
    closed: tuple[str, ...] = ()  # subjects that they don't want to talk about, in their words
    last_asked: bool = False  # the closing question
    asides: int = 0  # questions back in a row
    strayed: int = 0  # answers in a row that had nothing to do with the interview
    clarified: int = 0  # times that the open question was put in other words
    reworded: str = ""  # the open question in those words
    ends_early: bool = False  # they have time for one more question
    # the open question waits: it follows an answer beside a wish to stop
    unseen: bool = Field(default=False, exclude_if=lambda unseen: not unseen)
    # what they say they are called, the latest last; empty: as it was given at the start
    names: tuple[str, ...] = Field(default=(), exclude_if=lambda names: not names)
    # places of answers whose words froze a process: nothing reads them any more
    unread: tuple[int, ...] = Field(default=(), exclude_if=lambda places: not places)

    def mark_spoken(self, at: datetime) -> Self:
        return self.but(asked_at=at)

    def after_time_away(self, received: Received) -> Self:
        """Return the state as every turn begins with it: a clock leaves out a pause."""
        return self


S = TypeVar("S", bound=ProtocolState)
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    role: SpeakerRole
    kind: EntryKind
    text: str
    question: str = ""
    position: int = 0  # in the stored transcript


@dataclass(frozen=True, slots=True)
class TurnContext(Generic[S, M]):
    """All that a decision may depend on, apart from results of calls made in the turn."""

    plan: PlanContent[Any]
    material: M
    state: S
    received: Received
    language: str
    name: str = ""  # the participant's
    turn: int = 0
    transcript: tuple[TranscriptLine, ...] = ()  # recent lines, oldest first, without this answer
    care_shown: bool = False  # the care text, in lines that the transcript leaves out
    bot_gone: bool = False  # the bot has been deleted
    # from the start page: a field's key -> what was entered
    start_answers: Mapping[str, str] = field(default_factory=dict)
    reading: AnswerReading = AS_ANSWER  # of the answer, until it is read
    # on replay, what rules read in this turn when it was first made; else empty
    remembered: Mapping[str, Any] = field(default_factory=dict)

    @property
    def answer(self) -> str:
        return self.received.text

    @property
    def asks_last(self) -> bool:
        """Whether the closing question comes before the end: once, unless they want to stop."""
        return not self.state.last_asked and not self.reading.wants("stop")

    def renamed(self) -> Self:
        """Return the context with the participant's right name, also in what was said to them."""
        name, lines = self.name, self.transcript
        for right in self.state.names:
            lines = tuple(_called(line, name, right) for line in lines)
            name = right
        return replace(self, name=name, transcript=lines)


def _called(line: TranscriptLine, wrong: str, right: str) -> TranscriptLine:
    if not wrong or line.role != SpeakerRole.INTERVIEWER:
        return line
    whole = rf"(?<!\w){re.escape(wrong)}(?!\w)"
    return replace(line, text=re.sub(whole, lambda found: right, line.text))


AnyContext = TurnContext[Any, Any]
