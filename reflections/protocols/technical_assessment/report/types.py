"""The report as a model writes it, and as it is stored.

The docstrings of FinalReport and its parts are sent to models in their schemas.
"""

from typing import Literal, get_args

from pydantic import Field

from plans.protocols.technical_assessment.content import Grade
from reflections.evidence.types import Finding, MadeBy, StoredModel, Weight

Recommendation = Literal["Strong Hire", "Hire", "No Hire"]
TopicStatus = Literal["confirmed", "gap", "hallucination_suspect"]
RECOMMENDATIONS: tuple[Recommendation, ...] = get_args(Recommendation)  # the best first
WEIGHTS: tuple[Weight, ...] = get_args(Weight)  # the heaviest first
GRADES: tuple[Grade, ...] = get_args(Grade)  # the lowest first


class Verdict(StoredModel):
    """What the report comes to."""

    grade: Grade
    recommendation: Recommendation
    confidence_score: int = Field(ge=0, le=100)


class TopicReview(StoredModel):
    """One topic that was talked about."""

    topic: str
    status: TopicStatus
    notes: str = ""
    correct_answer: str = ""


class TechnicalReview(StoredModel):
    """What the candidate showed."""

    topics: list[TopicReview]
    confirmed_skills: list[str]
    knowledge_gaps: list[str]


class SoftSkills(StoredModel):
    """How the candidate spoke about it."""

    clarity: Literal["Good", "Average", "Poor"]
    honesty: Literal["Clear answers", "Admitted gaps", "Unclear"]
    engagement: Literal["High", "Neutral", "Low"]


class RoadmapStep(StoredModel):
    """One thing to learn, and from what."""

    topic: str
    resources: list[str]


class FinalReport(StoredModel):
    """The report."""

    verdict: Verdict
    technical_review: TechnicalReview
    soft_skills: SoftSkills
    personal_roadmap: list[RoadmapStep]


class Statistics(StoredModel):
    """Figures of the scored answers, if not said otherwise."""

    answers: int  # all that were observed
    scored: int
    topics: int
    confirmed: int  # topics
    gaps: int  # topics
    suspects: int  # topics with an answer that claims what doesn't exist
    hallucinations: int  # such answers, scored or not
    mean_correctness: float
    mean_confidence: float


class Ruling(StoredModel):
    recommendation: Recommendation
    grade: Grade
    gaps_admitted: bool


class SupportedClaim(StoredModel):
    what: str
    positions: list[int]


class Evidence(StoredModel):
    topics: list[SupportedClaim] = []
    confirmed_skills: list[SupportedClaim] = []
    knowledge_gaps: list[SupportedClaim] = []
    personal_roadmap: list[SupportedClaim] = []


class UnjudgedAnswer(StoredModel):
    """An answer that no model judged; the points of a good answer are told by words alone."""

    position: int
    topic: str
    question: str
    answer: str
    found: list[str] = []
    missing: list[str] = []


class StoredReport(StoredModel):
    report: FinalReport | None  # None: most answers were not judged, so nothing is recommended
    needs_person: list[str] = []  # why no recommendation is the headline; empty once amended
    unjudged: list[UnjudgedAnswer] = []
    made_by: MadeBy
    reason: str = ""  # why no model made it
    position: str = ""
    claimed_grade: Grade
    experience: str = ""
    statistics: Statistics
    ruling: Ruling | None
    findings: list[Finding] = []
    evidence: Evidence = Evidence()

    @property
    def topics(self) -> list[str]:
        """Return the topics that were reviewed, or are to be reviewed if none was."""
        if self.report is None:
            return list(dict.fromkeys(one.topic for one in self.unjudged))
        return [one.topic for one in self.report.technical_review.topics]
