from interviews.engine.context import FrozenState, TurnContext
from interviews.engine.moves import LedState
from interviews.engine.result import NewNote
from plans.protocols.life_story.content import LifeStoryMaterial, ScriptMaterial, ScriptQuestion


class KeptNote(FrozenState):
    text: str
    position: int


class LifeStoryState(LedState):
    current_question_index: int = 0  # in the script
    done: frozenset[int] = frozenset()  # questions that were asked, or told already, by index
    block_began: float | None = None  # seconds that were left when the question was put
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


def seconds_left(ctx: LifeStoryContext) -> float:
    """Return what is left of the whole interview."""
    return max(0.0, ctx.state.seconds_left(60 * ctx.plan.minutes, ctx.received.at))


def block_left(ctx: LifeStoryContext) -> float:
    """Return the seconds left for the open question with its follow-ups."""
    block = questions_of(ctx)[ctx.state.current_question_index].block_seconds
    began, left = (
        ctx.state.block_began,
        ctx.state.seconds_left(60 * ctx.plan.minutes, ctx.received.at),
    )
    return block - (began - left if began is not None else 0.0)
