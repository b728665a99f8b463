"""The report on a technical assessment: advice to a human reviewer. All of it is pure.

types        the report, and how it is stored
statistics   what the observations come to: topics, shares, means
rules        the rules: recommendation, how sure, which grade
computed     the report that needs no model
evidence     which answers a topic, a skill or a gap rests on
checks       what code changes in a report
findings     what it shows to a reviewer; protected: characteristics that are no criterion
llm_tasks    what a model is asked
candidate_summary   what candidates may see
"""

from reflections.protocols.technical_assessment.report.candidate_summary import (
    OwnSummary,
    own_summary,
)
from reflections.protocols.technical_assessment.report.llm_tasks import (
    REPORT,
    AssessmentRecord,
    amended,
    report_call,
    reported,
)
from reflections.protocols.technical_assessment.report.types import FinalReport, Reported

__all__ = [
    "REPORT",
    "AssessmentRecord",
    "FinalReport",
    "OwnSummary",
    "Reported",
    "amended",
    "own_summary",
    "report_call",
    "reported",
]
