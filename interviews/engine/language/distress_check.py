"""Whether somebody is in distress, put to a model where rules only find a hint of it."""

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from interviews.choices import SpeakerRole
from interviews.engine.context import TurnContext
from interviews.engine.language.distress import hinted
from interviews.engine.result import CallResults, TaskCall
from llm.tasks.task import Spoken, Task, Tier

KEY = "distress"
MOST = 12  # sentences that are shown
LONGEST = 400  # characters of one


class CrisisInput(BaseModel):
    """The question that was open, and the sentences that made somebody wonder."""

    question: Spoken
    said: Spoken


class Crisis(BaseModel):
    """The verdict: whether the person, or somebody with them, is in danger or despair now."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    now: bool


CRISIS = Task(
    name="interviews.distress",
    tier=Tier.FAST,
    template=Path(__file__).parents[1] / "prompts/distress.md",
    input=CrisisInput,
    output=Crisis,
    fallback=lambda data: Crisis(now=False),
    timeout=5.0,
    max_tokens=40,
    temperature=0.0,
)


def is_worth_asking(answer: str) -> bool:
    """Whether anything in the answer hints at distress."""
    return bool(hinted(answer))


def inquiry(ctx: TurnContext[Any, Any]) -> TaskCall:
    """The question to the model; only what hints at distress is shown."""
    asked = (line.text for line in reversed(ctx.transcript) if line.role == SpeakerRole.INTERVIEWER)
    said = "\n".join(sentence[:LONGEST] for sentence in hinted(ctx.answer)[:MOST])
    return TaskCall(KEY, CRISIS, CrisisInput(question=next(asked, ""), said=said))


def verdict(results: CallResults) -> bool | None:
    """What the model says; None while it hasn't."""
    return bool(results[KEY].value.now) if KEY in results else None
