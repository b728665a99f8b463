"""The whole conversation as a model sees it: real messages, in the order in which they were said.

It only grows at its end, so that a provider's cache holds all but what is new. Past MOST characters
the oldest part becomes one line an answer, several exchanges at once, so that its beginning seldom
changes.
"""

from itertools import accumulate

from interviews.choices import SpeakerRole
from interviews.engine.context import AnyContext, TranscriptLine
from interviews.engine.language.sentences import cut
from llm.costs.prices import CHARACTERS_A_TOKEN
from llm.tasks.task import Utterance

MOST = 24_000 * CHARACTERS_A_TOKEN  # characters
STEP = MOST // 4  # by which the oldest part grows
SHORT = 120  # characters of an answer's line


def conversation(ctx: AnyContext) -> tuple[Utterance, ...]:
    """Return what was said before the answer."""
    lines = [line for line in ctx.transcript if line.text]
    sums = list(accumulate(len(line.text) for line in lines))
    over = (sums[-1] if sums else 0) - MOST
    old = 0
    if over > 0:
        gone = -(-over // STEP) * STEP
        old = next(index for index, length in enumerate(sums, 1) if length >= gone)
    earlier = [_briefly(line) for line in lines[:old] if line.role == SpeakerRole.PARTICIPANT]
    first = (Utterance(role="participant", text="\n".join(earlier)),) if earlier else ()
    return (*first, *map(_whole, lines[old:]))


def _briefly(line: TranscriptLine) -> str:
    return f"- {cut(' '.join(line.text.split()), SHORT)}"


def _whole(line: TranscriptLine) -> Utterance:
    by_interviewer = line.role == SpeakerRole.INTERVIEWER
    return Utterance(role="interviewer" if by_interviewer else "participant", text=line.text)
