from collections.abc import Mapping
from dataclasses import dataclass

from interviews.engine.context import FrozenState, ProtocolState


@dataclass(frozen=True, slots=True)
class Observed:
    """What was judged of one answer, for reviewers and researchers; never shown to participants."""

    position: int  # of the answer in the transcript
    turn: int
    question: str  # as it was asked
    topic: str  # its key
    level: int  # how hard the question was, 1 to 5
    scored: bool  # False: not judged, about experience, or the question was still open
    action: str  # increase, same, decrease: how hard the next one is to be
    correctness: float | None  # 0 to 1; None: not judged
    confidence: float | None  # 0 to 1; None: not judged
    status: str  # confirmed, gap, hallucination_suspect, not_judged
    notes: str
    correct_answer: str
    flags: Mapping[str, str]  # hallucination, off_topic, left_out … -> why, if known
    verbosity: str  # short, medium, long
    examples: bool  # whether the answer uses any
    thoughts: Mapping[str, str]  # observer's and interviewer's
    source: str  # model, fallback model, fallback, rules


class AskedQuestion(FrozenState):
    text: str
    topic: str  # its key
    level: int  # 1 to 5
    key: str = ""  # of the base question; empty for one of the interviewer's own
    reasoning: str = ""  # the interviewer's, never shown
    opening: bool = False  # about experience, not about knowledge


class TechnicalAssessmentState(ProtocolState):
    """The questions asked so far, the last of which is open, and what was judged."""

    asked: tuple[AskedQuestion, ...]
    answered: int = 0  # turns used
    level: int  # 1 to 5
    topic: str  # key of the current one
    observations: tuple[Observed, ...] = ()

    @property
    def open(self) -> AskedQuestion:
        return self.asked[-1]
