"""Whether what a model makes of a question still asks it, and asks it for the first time."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from interviews.engine.guards import prompts_of, question_of
from interviews.engine.language.terms import terms
from interviews.protocols.knowledge_transfer.context import TransferContext, figures
from interviews.protocols.knowledge_transfer.tasks import PROMPTS
from plans.similarity import normalise

SHARED = 0.2  # at least, of a question's words in what asks it, where no figure is shared
LONG_ENOUGH = 4  # letters of a word that tells one question from another


def asks_for(text: str, question: str, others: Iterable[str], language: str) -> bool:
    """Whether the text asks that question, as far as words and figures tell; lenient.

    `others` are those that could be asked instead: what is nearer to one of them asks that.
    """
    if figures(question) & figures(text) or not _words(question, language):
        return True
    said = _words(text, language)
    share = _share(said, question, language)
    return share >= SHARED and all(_share(said, other, language) <= share for other in others)


def _share(said: frozenset[str], question: str, language: str) -> float:
    """How much of a question's words was said."""
    wanted = _words(question, language)
    return len(wanted & said) / len(wanted) if wanted else 0.0


@lru_cache(maxsize=1_024)
def _words(text: str, language: str) -> frozenset[str]:
    return frozenset(word for word in terms(text, language) if len(word) >= LONG_ENOUGH)


def repeats(text: str, earlier: Sequence[str]) -> bool:
    """Whether its question stands word by word in something that was asked."""
    asked = normalise(question_of(text))
    return any(asked and asked in normalise(one) for one in earlier)


def private(ctx: TransferContext) -> tuple[str, ...]:
    """What nobody is to be told: who the interviewer is to be, and its prompts."""
    return (ctx.plan.persona, *prompts_of(PROMPTS))
