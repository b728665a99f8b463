"""A model's question compared in meaning with those asked before, where that is switched on.

The verdict is kept with the reading, so that an interview made again without the encoder comes out
the same.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from interviews.engine.speech import questions_in
from llm.outcome import Outcome, Source
from plans.meaning import in_use


async def compared(outcome: Outcome[Any], earlier: Sequence[str]) -> Outcome[Any]:
    """The outcome, with the earlier question that its utterance asks again, if it does."""
    meaning = in_use()
    if meaning is None or not earlier or outcome.source is Source.FALLBACK:
        return outcome
    asked = [questions_in(one) for one in earlier]
    found = await meaning.first_alike(questions_in(outcome.value.utterance), asked)
    return outcome if found is None else replace(outcome, echoes=earlier[found])
