from datetime import datetime

from interviews.engine.clock import TimedState
from interviews.engine.context import FrozenState, TurnContext
from interviews.engine.result import NewNote
from plans.protocols.life_story.content import LifeStoryMaterial, ScriptMaterial, ScriptQuestion


class KeptNote(FrozenState):
    text: str
    position: int


class LifeStoryState(TimedState):
    clock = "block_started_at"

    current_question_index: int = 0  # in the script
    worded: str = ""  # the open question of the script as it was put
    follow_up: str = ""  # the open follow-up on it
    invitation: str = ""  # to say more, after something hard; it is put again before the question
    followups_count: int = 0
    at_own_pace: bool = False  # invited to say as much as they want, on the open question
    after_hard: bool = False  # the question comes right after that
    block_started_at: datetime | None = None
    notes: dict[str, KeptNote] = {}

    def note_texts(self) -> dict[str, str]:
        return {key: note.text for key, note in self.notes.items()}

    def all_notes(self) -> dict[str, NewNote]:
        return {key: NewNote(note.text, note.position) for key, note in self.notes.items()}


LifeStoryContext = TurnContext[LifeStoryState, LifeStoryMaterial]


def script_of(ctx: LifeStoryContext) -> ScriptMaterial:
    scripts = ctx.material.scripts
    return scripts.get(ctx.language) or next(iter(scripts.values()))


def questions_of(ctx: LifeStoryContext) -> tuple[ScriptQuestion, ...]:
    return script_of(ctx).questions


def seconds_left(ctx: LifeStoryContext) -> int:
    block = questions_of(ctx)[ctx.state.current_question_index].block_seconds
    return max(0, int(ctx.state.seconds_left(block, ctx.received.at)))
