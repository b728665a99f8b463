"""Options and results of calibrations.

Stored as JSON; a field that is added later has a default.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from reflections.evidence.types import Finding, MadeBy, StoredModel

Maker = Literal["replica", "notes", "average"]
MAKERS: tuple[Maker, ...] = ("replica", "notes", "average")
Baseline = Literal["others", "typical"]
LEAST, MOST = 3, 12  # questions held out
SHARE, SEED = 0.2, 1
MOST_SEED = 2**31 - 1


class CalibrationOptions(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class HeldOutOptions(CalibrationOptions):
    share: float = Field(SHARE, gt=0, le=0.5)
    seed: int = Field(SEED, ge=0, le=MOST_SEED)


class QuestionnaireItem(CalibrationOptions):
    """One item of a questionnaire with the participant's answers.

    `again` is the second answer; `scale` says that the options are consecutive whole numbers.
    """

    key: str
    text: str
    options: tuple[str, ...]
    answer: str
    again: str = ""
    scale: bool = False


class QuestionnaireOptions(CalibrationOptions):
    items: tuple[QuestionnaireItem, ...] = Field(min_length=1)
    seed: int = Field(SEED, ge=0, le=MOST_SEED)


class Mean(StoredModel):
    """A figure over `n` questions or items; without bounds if there are too few."""

    n: int
    value: float | None = None
    low: float | None = None
    high: float | None = None


class CandidateAnswer(StoredModel):
    """One answer to one question, and how far it agrees with what was said.

    `failed` says why there is no score. Another participant's words are not stored, only where they
    stand.
    """

    answer: str = ""
    session: str = ""  # whose interview the answer is from, where it is another participant's
    positions: tuple[int, ...] = ()  # … and where in it
    agreement: float | None = None
    why: str = ""
    likeness: float | None = None  # of the words, by rules
    failed: str = ""


class HeldOutQuestion(StoredModel):
    """A question held out; its answer is in the transcript at `positions`."""

    key: str
    section: str
    text: str
    positions: tuple[int, ...]
    given: dict[Maker, CandidateAnswer] = {}
    baseline: Baseline = "typical"
    others: int = 0  # interviews that the baseline was chosen from

    @property
    def counts(self) -> bool:
        """Whether every answer was scored; only then is it in the means."""
        return all(self.given[maker].agreement is not None for maker in MAKERS)


Comparison = dict[Maker, Mean]


class StoredKnowledge(StoredModel):
    notes: tuple[str, ...] = ()
    reflections: dict[str, tuple[str, ...]] = {}  # the expert's name -> observations
    condensed: int = 0


class CalibrationResult(StoredModel):
    language: str
    seed: int
    made_by: MadeBy = "model"
    reason: str = ""
    calls: int = 0  # that models were asked
    knowing: StoredKnowledge = StoredKnowledge()
    findings: tuple[Finding, ...] = ()


class HeldOutResult(CalibrationResult):
    answered: int  # questions that could have been held out
    questions: tuple[HeldOutQuestion, ...]
    agreement: Comparison
    likeness: Comparison
    lead: Comparison = {}  # by how much the replica agrees more than that one


class ChosenOption(StoredModel):
    option: str = ""
    failed: str = ""  # why no model answered


class ItemResult(StoredModel):
    item: QuestionnaireItem
    chosen: dict[Maker, ChosenOption] = {}
    baseline: Baseline = "typical"
    others: int = 0

    @property
    def counts(self) -> bool:
        """Whether every maker answered; only then is it in the figures."""
        return not any(self.chosen[maker].failed for maker in MAKERS)


class QuestionnaireResult(CalibrationResult):
    """A figure that could not be computed has an `n` of 0."""

    items: tuple[ItemResult, ...]
    accuracy: Comparison
    closeness: Comparison
    consistency: Mean
    twice: Comparison  # accuracy on the items that were answered twice
    normalised: Comparison
