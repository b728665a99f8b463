"""Where a technical assessment stands."""

from pydantic import BaseModel, ConfigDict

from interviews.engine.types import Observed, State


class Asked(BaseModel):
    """One question as it was asked."""

    model_config = ConfigDict(frozen=True)

    text: str
    topic: str  # its key
    level: int  # 1 to 5
    key: str = ""  # of the base question; empty for one of the interviewer's own
    again: str = ""  # the same in other words, once the candidate has wanted that
    reasoning: str = ""  # the interviewer's, never shown
    opening: bool = False  # about experience, not about knowledge

    @property
    def wording(self) -> str:
        """As it was put last."""
        return self.again or self.text


class TechnicalAssessmentState(State):
    """The questions with the one that is open last, how hard they are, and what was judged."""

    asked: tuple[Asked, ...]
    answered: int = 0  # turns used
    level: int  # 1 to 5
    topic: str  # key of the current one
    asides: int = 0  # questions back in a row
    stop_offered: bool = False  # on the open question, by the observer's advice
    observations: tuple[Observed, ...] = ()

    @property
    def open(self) -> Asked:
        """The question that waits for an answer."""
        return self.asked[-1]
