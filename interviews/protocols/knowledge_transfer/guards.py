from collections.abc import Iterable
from functools import lru_cache

from interviews.engine.guards import Limits, prompts_of
from interviews.engine.language.terms import terms
from interviews.protocols.knowledge_transfer.context import TransferContext, figures
from interviews.protocols.knowledge_transfer.tasks import PROMPTS

MIN_SHARED = 0.2  # of a question's words, where no figure is shared
MIN_WORD_LENGTH = 4


def asks_question(text: str, question: str, others: Iterable[str], language: str) -> bool:
    """Return whether the text asks that question, as far as words and figures tell; lenient.

    `others` are questions that could be asked instead: a text nearer to one of them asks that one.
    """
    if figures(question) & figures(text) or not _words(question, language):
        return True
    said = _words(text, language)
    share = _share(said, question, language)
    return share >= MIN_SHARED and all(_share(said, other, language) <= share for other in others)


def _share(said: frozenset[str], question: str, language: str) -> float:
    wanted = _words(question, language)
    return len(wanted & said) / len(wanted) if wanted else 0.0


@lru_cache(maxsize=1_024)
def _words(text: str, language: str) -> frozenset[str]:
    return frozenset(word for word in terms(text, language) if len(word) >= MIN_WORD_LENGTH)


def private_texts(ctx: TransferContext) -> tuple[str, ...]:
    return (ctx.plan.persona, *prompts_of(PROMPTS))


def limits(ctx: TransferContext, asked: Iterable[str] = ()) -> Limits:
    return Limits(ctx.language, private_texts(ctx), ctx.state.closed, tuple(asked))
