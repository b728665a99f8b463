from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, BeforeValidator

from interviews.engine.reading import Heard, ReadsAnswer
from llm.tasks.task import LanguageTag, Result, Spoken, Task, Tier, Utterance

PROMPTS = Path(__file__).parent / "prompts"
WARM, COOL = 0.7, 0.3  # temperature of the first wording, and after a guard rejected it
Accepts = Literal["yes", "no", "unclear"]


class TopicReplyInput(ReadsAnswer):
    persona: str
    language: LanguageTag
    accepts: str  # how to fill that field, where an offer is open
    context: str
    target: str  # of this turn, the only one
    manner: str
    goals: Sequence[str]  # numbered sub-goals that the answer may have met
    known: list[Spoken]
    closed: list[Spoken]
    openings: list[Spoken]  # how the last utterances began
    knowledge: str
    question: Spoken  # the open one
    dialogue: tuple[Utterance, ...] = ()
    answer: Spoken


class ReportedFact(Result):
    """One thing that was told."""

    text: str
    confidence: float


class Reply(Heard):
    """What the answer is and has met, what is said, and what was told, in the order of writing.

    All that decides where to go comes before what is said, so that nothing is shown in vain.
    """

    met: list[int] = []
    utterance: str
    facts: list[ReportedFact] = []


class OfferReply(Heard):
    """A Reply to the answer to an offer to continue."""

    accepts: Annotated[
        Accepts, BeforeValidator(lambda said: said if said in get_args(Accepts) else "unclear")
    ] = "unclear"
    met: list[int] = []
    utterance: str
    facts: list[ReportedFact] = []


class DataRequestInput(BaseModel):
    language: LanguageTag
    text: str


REPLY: Task[TopicReplyInput, Reply] = Task(
    name="topic_exploration.reply",
    tier=Tier.MAIN,
    template=PROMPTS / "reply.md",
    input=TopicReplyInput,
    output=Reply,
    fallback=lambda data: Reply(utterance=""),  # the protocol then uses a fixed question
    max_tokens=500,
    temperature=WARM,
    needed="utterance",
)
OFFER_REPLY: Task[TopicReplyInput, OfferReply] = Task(
    name="topic_exploration.offer_reply",
    tier=REPLY.tier,
    template=REPLY.template,
    input=TopicReplyInput,
    output=OfferReply,
    fallback=lambda data: OfferReply(utterance=""),
    max_tokens=REPLY.max_tokens,
    temperature=WARM,
    needed=REPLY.needed,
)
AGAIN = replace(
    REPLY, name="topic_exploration.again", max_tokens=300, timeout=8.0, temperature=COOL
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
