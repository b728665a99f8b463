from pathlib import Path

from pydantic import BaseModel

from interviews.engine.leading import TEMPLATE, LeadInput, Led
from llm.tasks.task import LanguageTag, Result, Task, Tier

PROMPTS = Path(__file__).parent / "prompts"
KEEPS = (PROMPTS / "facts.txt").read_text(encoding="utf-8").strip()


class ReportedFact(Result):
    """One thing that was told."""

    text: str
    confidence: float


class TopicLed(Led):
    """What leads a topic exploration, with the facts that the answer told."""

    facts: list[ReportedFact] = []


class DataRequestInput(BaseModel):
    language: LanguageTag
    text: str


LEAD = Task(
    name="topic_exploration.lead",
    tier=Tier.MAIN,
    template=TEMPLATE,
    input=LeadInput,
    output=TopicLed,
    fallback=lambda data: TopicLed(heard="fully"),
    temperature=0.7,
    needed="say",
)
DATA_REQUEST: Task[DataRequestInput, str] = Task(
    name="topic_exploration.data_request",
    tier=Tier.MAIN,
    template=PROMPTS / "data_request.md",
    input=DataRequestInput,
    output=str,
    fallback=lambda data: "",
    timeout=8.0,
    max_tokens=300,
    temperature=0.0,
)
