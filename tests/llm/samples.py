"""Two tasks to ask: one for a structured result, one for text."""

from pathlib import Path
from typing import Literal

from hypothesis import HealthCheck, settings
from pydantic import BaseModel

from llm.tasks.records import CallRecord
from llm.tasks.task import Spoken, Task, Tier

steady = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # on busy machines
TEMPLATE = Path(__file__).parent / "prompts/verdict.md"


class Question(BaseModel):
    """What both are asked."""

    language: str = "English"
    answer: Spoken = "We lived by the river."


class Verdict(BaseModel):
    """A structured result."""

    action: Literal["stay", "go"]
    text: str
    score: int


GOOD = {"action": "stay", "text": "Tell me about the river, please.", "score": 3}
PLAIN = Verdict(action="go", text="without a model", score=0)

VERDICT = Task(
    name="tests.verdict",
    tier=Tier.MAIN,
    template=TEMPLATE,
    input=Question,
    output=Verdict,
    fallback=lambda question: PLAIN,
    timeout=60.0,
)
SENTENCE = Task(
    name="tests.sentence",
    tier=Tier.FAST,
    template=TEMPLATE,
    input=Question,
    output=str,
    fallback=lambda question: "without a model",
    timeout=60.0,
    temperature=0.4,
)


def outcomes(records: list[CallRecord]) -> list[str]:
    """How the calls ended, in order."""
    return [str(record.outcome) for record in records]
