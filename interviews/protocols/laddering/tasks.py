"""The model calls of a laddering interview.

Without a model, rules read answers and the strategies' templates ask. Both need more than an input
holds, so the fallbacks of these tasks only say that no model spoke.
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, PlainSerializer

from interviews.engine.reading import Heard, ReadsAnswer, lowercase
from interviews.protocols.laddering.graph.states import Depth
from interviews.protocols.laddering.signals.moment import Sentiment
from llm.tasks.task import LanguageTag, Result, Spoken, Task, Tier

PROMPTS = Path(__file__).parent / "prompts"
TEMPERATURE = 0.2
MANNERS = {
    "opening": "This is your first question, so nothing was said yet. Greet the person (by name, "
    "if one is given), and ask one wide, warm question about the topic, without naming any part.",
    "onward": "Take up something of the last answer in a few of the person's own words, then ask.",
    "skipped": "The person didn't answer the last question. Accept that in one short sentence, "
    "without asking why, then ask.",
    "gentle": "Something hard was told. Begin with one short sentence that takes it in, ask "
    "nothing about it, then ask gently about what is named below, which is something else, and "
    "name it in the question. No praise, and no request for an example, for more detail or for "
    "feelings.",
}
Manner = Literal["opening", "onward", "skipped", "gentle"]


class RungDescription(BaseModel):
    type: str
    name: str
    meaning: str


class RelationDescription(BaseModel):
    relation: str
    meaning: str
    between: list[str]  # “type -> type, type”


class ElementNames(BaseModel):
    id: str
    names: list[str]


class KnownConcept(BaseModel):
    id: str  # which is short, and by which a reply calls it
    text: Spoken
    type: str


class LadderingExtractInput(ReadsAnswer):
    language: LanguageTag
    topic: str
    ladder: list[RungDescription]
    relations: list[RelationDescription]
    upward: str  # the relation that ladders are made of
    elements: list[ElementNames]
    known: list[KnownConcept]
    focus: Spoken  # what the question was about; empty: nothing in particular
    question: Spoken
    answer: Spoken


class ExtractedLines(Heard):
    """What an answer is, and comes to, in lines: the less a model writes, the sooner it goes on.

    A concept is “text | type”, perhaps with “| elements”, the one that the answer arrives at first;
    a type may be the number of its rung. A relation is “source | target” if it leads up, else
    “source | relation | target”; each end is a number among the concepts, the id of what is known,
    or words. The relation “yes” or “no” is the reply to a chain that was said back.
    """

    concepts: list[str] = []
    relations: list[str] = []


class SignalsInput(BaseModel):
    language: LanguageTag
    topic: str
    elements: list[ElementNames]
    question: Spoken
    answer: Spoken


class AnswerSignalsResult(Result):
    """How an answer is: how much it gives, its tone, what it is about."""

    depth: Annotated[Depth, BeforeValidator(lowercase)]
    sentiment: Annotated[Sentiment, BeforeValidator(lowercase)]
    topics: list[str] = []


class ActiveSignal(BaseModel):
    name: str
    value: str
    meaning: str


class LadderingExchange(BaseModel):
    question: Spoken
    answer: Spoken


class LadderingQuestionInput(BaseModel):
    persona: str
    language: LanguageTag
    name: Spoken
    method: str
    goal: str
    ladder: list[RungDescription]
    topic: str
    research: list[str]  # what is believed and promised; never to be told
    signals: list[ActiveSignal] = []
    reasons: list[str] = []  # why this strategy and this focus
    strategy: str
    description: str = ""
    focus: Spoken = ""
    focus_is: str  # a type, or what it is instead
    contrary: Spoken = ""  # what was said later and denies the focus
    chain: list[Spoken] = []  # how the person came to it, from the lowest rung up
    tied: list[Spoken] = []  # what was said about it: leads to, comes from
    others: list[Spoken] = []  # what else was said, for questions that connect
    history: list[LadderingExchange]
    asked: list[Spoken]  # questions that are not to be asked again
    closed: list[Spoken]  # subjects that they don't want to talk about
    answer: Spoken = ""
    manner: Annotated[Manner, PlainSerializer(MANNERS.get, return_type=str)]


EXTRACT = Task(
    name="laddering.extract",
    tier=Tier.FAST,
    template=PROMPTS / "extract.md",
    input=LadderingExtractInput,
    output=ExtractedLines,
    fallback=lambda data: ExtractedLines(),  # the rules package reads it
    timeout=10.0,  # the question has still to be written
    max_tokens=1_000,
    temperature=TEMPERATURE,
)
SIGNALS = Task(
    name="laddering.signals",
    tier=Tier.MAIN,
    template=PROMPTS / "signals.md",
    input=SignalsInput,
    output=AnswerSignalsResult,
    fallback=lambda data: AnswerSignalsResult(depth="shallow", sentiment="neutral"),
    timeout=8.0,
    max_tokens=150,
    temperature=TEMPERATURE,
)
QUESTION: Task[LadderingQuestionInput, str] = Task(
    name="laddering.question",
    tier=Tier.MAIN,
    template=PROMPTS / "question.md",
    input=LadderingQuestionInput,
    output=str,
    fallback=lambda data: "",  # a template of the strategy stands in reserve
    max_tokens=300,
)
