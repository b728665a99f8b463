"""Where a life-story interview stands."""

from datetime import datetime
from typing import Self

from pydantic import BaseModel, ConfigDict

from interviews.engine.clock import time_away
from interviews.engine.context import ProtocolState
from interviews.engine.result import NewNote


class KeptNote(BaseModel):
    """One note, with the position of the entry that it comes from."""

    model_config = ConfigDict(frozen=True)

    text: str
    position: int


class LifeStoryState(ProtocolState):
    """The place in the script, the block's clock and the notes."""

    current_question_index: int = -1  # in the script's order; -1 before the first
    followups_count: int = 0
    block_started_at: datetime | None = None  # moved on by time away, which does not count
    notes: dict[str, KeptNote] = {}

    def mark_spoken(self, at: datetime) -> Self:
        """The block's clock starts when its question is shown."""
        state = super().mark_spoken(at)
        return state.model_copy(update={"block_started_at": self.block_started_at or at})

    def known(self) -> dict[str, str]:
        """Key -> text, as a model reads it."""
        return {key: note.text for key, note in self.notes.items()}

    def learned(self) -> dict[str, NewNote]:
        """Key -> note, as the transcript's rows keep it."""
        return {key: NewNote(note.text, note.position) for key, note in self.notes.items()}


def after_time_away(state: LifeStoryState, at: datetime, paused: float) -> LifeStoryState:
    """The state with the block's clock moved on by a pause, or by a long silence (seconds)."""
    if state.block_started_at is None:
        return state
    moved = state.block_started_at + time_away(state.asked_at, at, paused)
    return state.model_copy(update={"block_started_at": moved})


def seconds_left(state: LifeStoryState, block_seconds: int, at: datetime) -> int:
    """What is left of the block at that time; never below zero."""
    if state.block_started_at is None:
        return block_seconds
    used = (at - state.block_started_at).total_seconds()
    return max(0, int(block_seconds - used))
