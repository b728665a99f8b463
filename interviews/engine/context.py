"""What a decision may depend on: the plan, the state, the answer, the conversation so far."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict

from interviews.choices import EntryKind, SpeakerRole
from plans.protocols import PlanContent

Trigger = Literal["opening", "user_answer", "skip", "stop"]


class ProtocolState(BaseModel):
    """Where an interview stands; each protocol adds its own fields. Stored with the session."""

    model_config = ConfigDict(frozen=True)

    asked_at: datetime | None = None  # when the interviewer last spoke
    awaiting: Literal["", "stop", "care"] = ""  # a common rule waits for a yes or no
    sealed: bool = False  # the next answer is confidential: its words are never stored in clear

    def shown(self, at: datetime) -> Self:
        """The state once the utterance stands in the transcript, at that time."""
        return self.model_copy(update={"asked_at": at})


S = TypeVar("S", bound=ProtocolState)


M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One earlier utterance, as the engine reads it."""

    role: SpeakerRole
    kind: EntryKind
    text: str
    question: str = ""


@dataclass(frozen=True, slots=True)
class Received:
    """What the participant did, and when (server time)."""

    trigger: Trigger
    text: str
    at: datetime
    away_seconds: float = 0.0  # paused since the interviewer last spoke
    position: int = 0  # of the entry in the transcript; 0 without one


@dataclass(frozen=True, slots=True)
class TurnContext(Generic[S, M]):
    """All that a decision may depend on, besides what is read in the turn itself."""

    plan: PlanContent[Any]
    material: M
    state: S
    received: Received
    language: str
    name: str = ""  # the participant's
    turn: int = 0
    transcript: tuple[TranscriptLine, ...] = ()  # recent ones, oldest first, without this answer
    bot_gone: bool = False  # the bot was deleted meanwhile
    # what was told on the page on which the interview was begun: a start field's key -> words
    start_answers: Mapping[str, str] = field(default_factory=dict)
    # what rules read in this turn when it was made, on replay; empty in a turn that is being made
    remembered: Mapping[str, Any] = field(default_factory=dict)

    @property
    def answer(self) -> str:
        """What the participant said; empty when a button was pressed."""
        return self.received.text
