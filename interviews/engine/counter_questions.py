"""A question back: one or two honest sentences, then the open question again.

What a model is told of the interview is the protocol's own; the rest is here.
"""

from collections.abc import Callable
from typing import Any

from interviews.choices import EntryKind
from interviews.engine.context import S
from interviews.engine.result import GuardFiring, TurnResult, Utterance
from llm.tasks.outcome import Outcome, Source

KEY = "answer"
Guard = Callable[[str], tuple[str, tuple[GuardFiring, ...]]]


def reply(
    state: S, reading: Outcome[Any], guard: Guard, fixed: str, question: Utterance
) -> TurnResult[S]:
    """The reply and the open question; no turn is used.

    Instead of the model's words stand fixed ones where there are none or a guard took them back.
    """
    text, fired = ("", ()) if reading.source is Source.FALLBACK else guard(reading.value)
    return TurnResult(
        state=state,
        utterances=(Utterance(EntryKind.INTERVIEWER_ANSWER, text or fixed), question),
        reason="question_back",
        spoken_by=() if fired else (KEY,),
        firings=fired,
        heard_as=EntryKind.CANDIDATE_QUESTION,
    )
