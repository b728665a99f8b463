from interviews.engine.context import TurnContext
from interviews.protocols.life_story.state import LifeStoryState
from plans.protocols.life_story.content import LifeStoryMaterial, ScriptMaterial, ScriptQuestion

LifeStoryContext = TurnContext[LifeStoryState, LifeStoryMaterial]


def script_of(ctx: LifeStoryContext) -> ScriptMaterial:
    scripts = ctx.material.scripts
    return scripts.get(ctx.language) or next(iter(scripts.values()))


def questions_of(ctx: LifeStoryContext) -> tuple[ScriptQuestion, ...]:
    return script_of(ctx).questions
