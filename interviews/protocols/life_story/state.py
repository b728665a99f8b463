from datetime import datetime
from typing import Self

from interviews.engine.clock import time_away
from interviews.engine.context import FrozenState, ProtocolState, TurnContext
from interviews.engine.result import NewNote
from plans.protocols.life_story.content import LifeStoryMaterial, ScriptMaterial, ScriptQuestion


class KeptNote(FrozenState):
    text: str
    position: int


class LifeStoryState(ProtocolState):
    current_question_index: int = -1  # in the script; -1 before the first question
    worded: str = ""  # the open question of the script as it was put
    follow_up: str = ""  # the open follow-up on it, if one was asked
    followups_count: int = 0
    at_own_pace: bool = False  # invited to say as much as they want, on the open question
    block_started_at: datetime | None = None  # moved on by time away, which doesn't count
    notes: dict[str, KeptNote] = {}

    def mark_spoken(self, at: datetime) -> Self:
        state = super().mark_spoken(at)
        return state.model_copy(update={"block_started_at": self.block_started_at or at})

    def note_texts(self) -> dict[str, str]:
        return {key: note.text for key, note in self.notes.items()}

    def all_notes(self) -> dict[str, NewNote]:
        return {key: NewNote(note.text, note.position) for key, note in self.notes.items()}


def after_time_away(state: LifeStoryState, at: datetime, paused: float) -> LifeStoryState:
    if state.block_started_at is None:
        return state
    moved = state.block_started_at + time_away(state.asked_at, at, paused)
    return state.model_copy(update={"block_started_at": moved})


def seconds_left(state: LifeStoryState, block_seconds: int, at: datetime) -> int:
    if state.block_started_at is None:
        return block_seconds
    used = (at - state.block_started_at).total_seconds()
    return max(0, int(block_seconds - used))


LifeStoryContext = TurnContext[LifeStoryState, LifeStoryMaterial]


def script_of(ctx: LifeStoryContext) -> ScriptMaterial:
    scripts = ctx.material.scripts
    return scripts.get(ctx.language) or next(iter(scripts.values()))


def questions_of(ctx: LifeStoryContext) -> tuple[ScriptQuestion, ...]:
    return script_of(ctx).questions
