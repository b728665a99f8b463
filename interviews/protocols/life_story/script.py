"""The plan's script in the session's language."""

from interviews.engine.context import TurnContext
from interviews.engine.texts import named
from interviews.protocols.life_story.state import LifeStoryState
from plans.protocols.life_story.content import LifeStoryMaterial, ScriptMaterial, ScriptQuestion

LifeStoryContext = TurnContext[LifeStoryState, LifeStoryMaterial]


def script_of(ctx: LifeStoryContext) -> ScriptMaterial:
    """The script in that language, else the plan's first."""
    scripts = ctx.material.scripts
    return scripts.get(ctx.language) or next(iter(scripts.values()))


def questions_of(ctx: LifeStoryContext) -> tuple[ScriptQuestion, ...]:
    """The script's questions in their order."""
    return script_of(ctx).questions


def intro_text(ctx: LifeStoryContext) -> str:
    """The intro with the participant's name; without a name its place closes up."""
    return named(script_of(ctx).intro, ctx.name)


def outro_text(ctx: LifeStoryContext) -> str:
    return named(script_of(ctx).outro, ctx.name)
