"""The plan's script in the session's language."""

from interviews.engine.texts import named
from interviews.engine.types import TurnContext
from interviews.protocols.life_story.state import LifeStoryState
from plans.protocols.life_story.content import LifeStoryMaterial, ScriptMaterial, ScriptQuestion

Here = TurnContext[LifeStoryState, LifeStoryMaterial]


def script_of(now: Here) -> ScriptMaterial:
    """The script in that language, else the plan's first."""
    scripts = now.material.scripts
    return scripts.get(now.language) or next(iter(scripts.values()))


def questions_of(now: Here) -> tuple[ScriptQuestion, ...]:
    """The script's questions in their order."""
    return script_of(now).questions


def intro_text(now: Here) -> str:
    """The intro with the participant's name; without a name its place closes up."""
    return named(script_of(now).intro, now.name)


def outro_text(now: Here) -> str:
    return named(script_of(now).outro, now.name)
