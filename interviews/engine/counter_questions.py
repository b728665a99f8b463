from collections.abc import Callable
from typing import Any

from interviews.choices import EntryKind
from interviews.engine.context import S
from interviews.engine.result import GuardFiring, TurnResult, Utterance
from llm.tasks.outcome import Outcome, Source

KEY = "answer"
Guard = Callable[[str], tuple[str, tuple[GuardFiring, ...]]]


def reply(
    state: S, outcome: Outcome[Any], guard: Guard, fixed: str, question: Utterance
) -> TurnResult[S]:
    """Answer the participant's question briefly and repeat the open one; no turn is used.

    The fixed text is said where the model gave none or a guard rejected it.
    """
    text, fired = ("", ()) if outcome.source is Source.FALLBACK else guard(outcome.value)
    return TurnResult(
        state=state,
        utterances=(Utterance(EntryKind.INTERVIEWER_ANSWER, text or fixed), question),
        reason="question_back",
        spoken_by=() if fired else (KEY,),
        firings=fired,
        heard_as=EntryKind.CANDIDATE_QUESTION,
    )
