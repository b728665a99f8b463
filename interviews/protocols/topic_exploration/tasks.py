from dataclasses import replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from llm.tasks.task import Result, Spoken, Task, Tier, Utterance

PROMPTS = Path(__file__).parent / "prompts"
WARM, COOL = 0.7, 0.3  # temperature of the first wording, and after a guard rejected it


class ReplyInput(BaseModel):
    persona: str
    language: str
    context: str
    focus: str
    memory: str
    knowledge: str
    guidance: str
    guards: str
    dialogue: tuple[Utterance, ...] = ()
    answer: Spoken


class ReportedFact(Result):
    """One thing that was told."""

    text: str
    confidence: float


class Reply(Result):
    """What is said, and what the answer gave. The order of the fields is the order of writing."""

    utterance: str
    facts: list[ReportedFact] = []
    met: list[int] = []


class TopicIntentInput(BaseModel):
    question: Spoken
    said: Spoken


class TopicIntent(Result):
    """What it is."""

    kind: Literal["answer", "clarification", "off_topic", "stop"]


class ConsentReply(Result):
    """A yes, a no, or neither."""

    reading: Literal["yes", "no", "unclear"]


REPLY = Task(
    name="topic_exploration.reply",
    tier=Tier.MAIN,
    template=PROMPTS / "reply.md",
    input=ReplyInput,
    output=Reply,
    fallback=lambda data: Reply(utterance=""),  # the protocol then uses a fixed question
    max_tokens=500,
    temperature=WARM,
)
AGAIN = replace(
    REPLY, name="topic_exploration.again", max_tokens=300, timeout=8.0, temperature=COOL
)
INTENT = Task(
    name="topic_exploration.intent",
    tier=Tier.FAST,
    template=PROMPTS / "intent.md",
    input=TopicIntentInput,
    output=TopicIntent,
    fallback=lambda data: TopicIntent(kind="answer"),
    timeout=5.0,
    max_tokens=60,
    temperature=0.0,
)
CONSENT = Task(
    name="topic_exploration.consent",
    tier=Tier.FAST,
    template=PROMPTS / "consent.md",
    input=TopicIntentInput,
    output=ConsentReply,
    fallback=lambda data: ConsentReply(reading="unclear"),
    timeout=5.0,
    max_tokens=60,
    temperature=0.0,
)
