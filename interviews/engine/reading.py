"""What an answer is, read by a model; by rules only what is unmistakable.

The fields come first in the result of the call by which a protocol reads an answer, so that they
are known before a word of the reply is shown.
"""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from interviews.engine.language.distress import in_distress
from interviews.engine.language.intents import Meaning, left_out, meaning
from interviews.engine.language.wishes import only, wish_of, wishes
from interviews.engine.signal import hard
from llm.tasks.task import Result, Spoken, Task, Tier

Intent = Literal[
    "answer",
    "dont_know",
    "skip",
    "refuse",
    "clarify",
    "ask_back",
    "off_topic",
    "pause",
    "stop",
    "withdraw",
    "manipulate",
]
Care = Literal["none", "heavy", "acute"]
BY_RULES: dict[Meaning | None, Intent] = {
    Meaning.STOP: "stop",
    Meaning.NOT_KNOWING: "dont_know",
    Meaning.QUESTION: "ask_back",
    Meaning.CLARIFY: "clarify",
    Meaning.OFF_TOPIC: "off_topic",
}


class ReadingInput(BaseModel):
    language: str
    question: Spoken
    answer: Spoken


class IntentReading(Result):
    """What an answer is, and what it calls for."""

    intent: Intent = "answer"
    care: Care = "none"
    closed_subject: str = ""


def read_by_rules(data: ReadingInput) -> IntentReading:
    return IntentReading(intent=_intent(data), care=_care(data))


def _intent(data: ReadingInput) -> Intent:
    if wish := wish_of(data.answer):
        return wish
    if only(data.answer, "privacy"):
        return "refuse"
    if left_out(data.answer, data.language, data.question):
        return "skip"
    if wishes(data.answer, "clarify"):
        return "clarify"
    return BY_RULES.get(meaning(data.answer, data.language, data.question), "answer")


def _care(data: ReadingInput) -> Care:
    if in_distress(data.answer):
        return "acute"
    return "heavy" if hard(data.answer, data.language) else "none"


READING = Task(
    name="interviews.reading",
    tier=Tier.FAST,
    template=Path(__file__).parent / "prompts/reading.md",
    input=ReadingInput,
    output=IntentReading,
    fallback=read_by_rules,
    timeout=8.0,
    max_tokens=80,
    temperature=0.0,
)
