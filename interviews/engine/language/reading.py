"""What was said instead of an answer, if anything: by rules where they can tell, else by a model.

Only a short text with a question mark is doubtful; whatever is longer is an answer.
"""

from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from interviews.engine.context import Received
from interviews.engine.language.intents import Meaning, left_out, meaning
from interviews.engine.language.lists import courtesies
from interviews.engine.language.phrases import listed
from interviews.engine.language.sentences import ends_asking
from interviews.engine.language.wishes import clauses, wishes
from interviews.engine.result import CallResults, TaskCall
from llm.tasks.task import Spoken, Task, Tier

KEY = "intent"
MOST_ASIDES = 2  # questions back in a row; the next one is taken for an answer
BARELY = 12  # words
BRIEF = 300  # characters; whoever writes more has not left the question out
Said = Literal["answer", "question", "clarification", "stop"]
CLEAR: dict[Meaning | None, Said] = {
    Meaning.CLARIFY: "clarification",
    Meaning.QUESTION: "question",
    Meaning.NOT_KNOWING: "answer",
    Meaning.OFF_TOPIC: "answer",
}


class IntentInput(BaseModel):
    """Something that may not be an answer."""

    question: Spoken
    said: Spoken


class Intent(BaseModel):
    """What it is."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: Said


INTENT = Task(
    name="interviews.intent",
    tier=Tier.FAST,
    template=Path(__file__).parents[1] / "prompts/intent.md",
    input=IntentInput,
    output=Intent,
    fallback=lambda data: Intent(kind="answer"),
    timeout=5.0,
    max_tokens=60,
    temperature=0.2,
)


def passed_over(received: Received, language: str, asked: str) -> bool:
    """Whether the question is left out, by the button or in clear words."""
    if received.trigger == "skip":
        return True
    return len(received.text) <= BRIEF and left_out(received.text, language, asked)


def hear(answer: str, language: str, asked: str, asides: int, results: CallResults) -> Said | None:
    """What was said to the question, after so many asides; None where a model must be asked."""
    if asides >= MOST_ASIDES:
        return "answer"
    clear = _clear(answer, language, asked)
    if clear is not None:
        return clear
    if not _doubtful(answer):
        return "answer"
    what: Said | None = results[KEY].value.kind if KEY in results else None
    return what


def inquiry(answer: str, asked: str) -> TaskCall:
    """What a model is asked about something that may be no answer."""
    return TaskCall(KEY, INTENT, IntentInput(question=asked, said=answer))


@lru_cache(maxsize=64)
def _clear(answer: str, language: str, asked: str) -> Said | None:
    """What rules can tell; who has not understood is not taken for one who does not know.

    Kept, since a turn looks at the same answer each time that a reply has grown.
    """
    if wishes(answer, "clarify"):
        return "clarification"
    if _asks_back(answer):
        return "question"
    return CLEAR.get(meaning(answer, language, asked))


def _asks_back(answer: str) -> bool:
    """Whether it asks what the interview is for, and says nothing besides."""
    if not _asks(answer) or len(answer) > BRIEF:
        return False
    said = [clause for clause in clauses(answer) if not courtesies().fullmatch(clause)]
    return bool(said) and all(listed("asks_back").fullmatch(clause) for clause in said)


def _doubtful(answer: str) -> bool:
    return _asks(answer) and len(answer.split()) <= BARELY


def _asks(answer: str) -> bool:
    return ends_asking(answer.rstrip())
