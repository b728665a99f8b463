"""What was said instead of an answer, if anything: by rules where they can tell, else by a model.

Only a short text with a question mark is doubtful; whatever is longer is an answer. It is read as
one meanwhile, so that nobody waits for three replies in a row.
"""

from typing import Literal

from interviews.engine.intents import clauses, wishes
from interviews.engine.lexicon import courtesies
from interviews.engine.meanings import Meaning, left_out, meaning
from interviews.engine.types import Inquiry, Readings
from interviews.protocols.knowledge_transfer.lexicon import listed
from interviews.protocols.laddering.here import Here
from interviews.protocols.laddering.rules.phrases import says_nothing
from interviews.protocols.laddering.tasks import INTENT, IntentInput

KEY = "intent"
MOST_ASIDES = 2  # questions back in a row; the next one is taken for an answer
BARELY = 12  # words
BRIEF = 300  # characters; whoever writes more has not left the question out
What = Literal["answer", "left_out", "nothing_told", "question", "clarification", "stop"]
CLEAR: dict[Meaning | None, What] = {
    Meaning.CLARIFY: "clarification",
    Meaning.QUESTION: "question",
}
TELLS_NOTHING = (Meaning.NOT_KNOWING, Meaning.OFF_TOPIC)


def hear(now: Here, readings: Readings) -> What | None:
    """What was said; None where a model has still to be asked."""
    if _left_out(now):
        return "left_out"
    if _tells_nothing(now):
        return "nothing_told"
    if now.state.asides >= MOST_ASIDES:
        return "answer"
    clear = _clear(now)
    if clear is not None:
        return clear
    if not _doubtful(now.answer):
        return "answer"
    what: What | None = readings[KEY].value.kind if KEY in readings else None
    return what


def inquiry(now: Here) -> Inquiry:
    """What a model is asked about something that may be no answer."""
    return Inquiry(KEY, INTENT, IntentInput(question=now.state.open.text, said=now.answer))


def _left_out(now: Here) -> bool:
    """By the button or in clear words."""
    if now.received.trigger == "skip":
        return True
    brief = len(now.answer) <= BRIEF
    return brief and left_out(now.answer, now.language, now.state.open.text)


def _tells_nothing(now: Here) -> bool:
    """Whether there is nothing to be read in it: who doesn't know, or speaks of something else."""
    if len(now.answer) > BRIEF:
        return False
    if says_nothing(now.answer, now.language):
        return True
    return meaning(now.answer, now.language, now.state.open.text) in TELLS_NOTHING


def _clear(now: Here) -> What | None:
    if wishes(now.answer, "clarify"):
        return "clarification"
    if _asks_back(now.answer):
        return "question"
    return CLEAR.get(meaning(now.answer, now.language, now.state.open.text))


def _asks_back(answer: str) -> bool:
    """Whether it asks what the interview is for, and says nothing besides."""
    if not _asks(answer) or len(answer) > BRIEF:
        return False
    said = [clause for clause in clauses(answer) if not courtesies().fullmatch(clause)]
    return bool(said) and all(listed("asks_back").fullmatch(clause) for clause in said)


def _doubtful(answer: str) -> bool:
    return _asks(answer) and len(answer.split()) <= BARELY


def _asks(answer: str) -> bool:
    return answer.rstrip().endswith("?")
