"""The report as it is written, and as it is stored with how it came about."""

from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from plans.protocols.technical_assessment.content import Grade

Recommendation = Literal["Strong Hire", "Hire", "No Hire"]
TopicStatus = Literal["confirmed", "gap", "hallucination_suspect"]
MadeBy = Literal["model", "fallback_model", "rules"]
Weight = Literal["serious", "notable", "plain"]
RECOMMENDATIONS: tuple[Recommendation, ...] = get_args(Recommendation)  # the best first
WEIGHTS: tuple[Weight, ...] = get_args(Weight)  # the heaviest first
GRADES: tuple[Grade, ...] = get_args(Grade)  # the lowest first


class ReportModel(BaseModel):
    """What all parts of a report share."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Verdict(ReportModel):
    """What the report comes to."""

    grade: Grade
    recommendation: Recommendation
    confidence_score: int = Field(ge=0, le=100)


class TopicReview(ReportModel):
    """One topic that was talked about."""

    topic: str
    status: TopicStatus
    notes: str = ""
    correct_answer: str = ""


class TechnicalReview(ReportModel):
    """What the candidate showed."""

    topics: list[TopicReview]
    confirmed_skills: list[str]
    knowledge_gaps: list[str]


class SoftSkills(ReportModel):
    """How the candidate spoke about it."""

    clarity: Literal["Good", "Average", "Poor"]
    honesty: Literal["Clear answers", "Admitted gaps", "Unclear"]
    engagement: Literal["High", "Neutral", "Low"]


class RoadmapStep(ReportModel):
    """One thing to learn, and from what."""

    topic: str
    resources: list[str]


class FinalReport(ReportModel):
    """The report."""

    verdict: Verdict
    technical_review: TechnicalReview
    soft_skills: SoftSkills
    personal_roadmap: list[RoadmapStep]


class Statistics(ReportModel):
    """What the observations come to; of scored answers, where not said otherwise."""

    answers: int  # all that were observed
    scored: int
    topics: int
    confirmed: int  # topics
    gaps: int  # topics
    suspects: int  # topics with an answer that claims what doesn't exist
    hallucinations: int  # such answers, scored or not
    mean_correctness: float
    mean_confidence: float


class Ruling(ReportModel):
    """What the rules alone give."""

    recommendation: Recommendation
    grade: Grade
    gaps_admitted: bool


class ReportFinding(ReportModel):
    """Something that code found in a report, or did to it."""

    check: str
    weight: Weight
    text: str
    before: str = ""  # what the report had said, where it was changed


class SupportedClaim(ReportModel):
    """A topic, skill, gap or step of the roadmap, with the places of the answers behind it."""

    what: str
    positions: list[int]


class Evidence(ReportModel):
    """What the report's parts rest on, in their order."""

    topics: list[SupportedClaim] = []
    confirmed_skills: list[SupportedClaim] = []
    knowledge_gaps: list[SupportedClaim] = []
    personal_roadmap: list[SupportedClaim] = []


class Reported(ReportModel):
    """The report with all that a reviewer has to know of it."""

    report: FinalReport
    made_by: MadeBy
    reason: str = ""  # why no model made it
    position: str = ""
    claimed_grade: Grade
    experience: str = ""
    statistics: Statistics
    ruling: Ruling
    findings: list[ReportFinding] = []
    evidence: Evidence = Evidence()
