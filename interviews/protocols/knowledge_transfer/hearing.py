"""What was said instead of an answer, if anything: by rules where they can tell, else by a model.

Only a short text with a question mark is doubtful; whatever is longer is an answer.
"""

from functools import lru_cache
from typing import Literal

from interviews.engine.intents import clauses, wishes
from interviews.engine.lexicon import courtesies
from interviews.engine.meanings import Meaning, left_out, meaning
from interviews.engine.speech import ends_asking
from interviews.engine.types import Inquiry, Readings
from interviews.protocols.knowledge_transfer.here import Here
from interviews.protocols.knowledge_transfer.lexicon import listed
from interviews.protocols.knowledge_transfer.tasks import INTENT, IntentInput

KEY = "intent"
MOST_ASIDES = 2  # questions back in a row; the next one is taken for an answer
BARELY = 12  # words
BRIEF = 300  # characters; whoever writes more has not left the question out
What = Literal["answer", "question", "clarification", "stop"]
CLEAR: dict[Meaning | None, What] = {
    Meaning.CLARIFY: "clarification",
    Meaning.QUESTION: "question",
    Meaning.NOT_KNOWING: "answer",
    Meaning.OFF_TOPIC: "answer",
}


def passed_over(now: Here) -> bool:
    """Whether the question is left out, by the button or in clear words."""
    if now.received.trigger == "skip":
        return True
    brief = len(now.answer) <= BRIEF
    return brief and left_out(now.answer, now.language, now.state.open.asked)


def hear(now: Here, readings: Readings) -> What | None:
    """What was said; None where a model has still to be asked."""
    if now.state.asides >= MOST_ASIDES:
        return "answer"
    clear = _clear(now.answer, now.language, now.state.open.asked)
    if clear is not None:
        return clear
    if not _doubtful(now.answer):
        return "answer"
    what: What | None = readings[KEY].value.kind if KEY in readings else None
    return what


def inquiry(now: Here) -> Inquiry:
    """What a model is asked about something that may be no answer."""
    return Inquiry(KEY, INTENT, IntentInput(question=now.state.open.asked, said=now.answer))


@lru_cache(maxsize=64)
def _clear(answer: str, language: str, asked: str) -> What | None:
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
