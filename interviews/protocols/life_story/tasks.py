from pathlib import Path

from interviews.engine.leading import TEMPLATE, LeadInput, Led
from llm.tasks.task import Result, Task, Tier

KEEPS = (Path(__file__).parent / "prompts" / "notes.txt").read_text(encoding="utf-8").strip()


class NotePair(Result):
    """One note that is new or changed."""

    key: str
    value: str


class LifeStoryLed(Led):
    """What leads a life story, with the changes that the answer makes to the notes."""

    notes: list[NotePair] = []
    denied: list[str] = []


LEAD = Task(
    name="life_story.lead",
    tier=Tier.MAIN,
    template=TEMPLATE,
    input=LeadInput,
    output=LifeStoryLed,
    fallback=lambda data: LifeStoryLed(heard="fully"),
    temperature=0.5,
    needed="say",
)
