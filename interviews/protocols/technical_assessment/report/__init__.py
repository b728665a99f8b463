"""The report on a technical assessment: advice to a human reviewer. All of it is pure.

types        the report, and how it is stored
statistics   what the observations come to: topics, shares, means
deciding     the rules: recommendation, how sure, which grade
computed     the report that needs no model
evidence     which answers a topic, a skill or a gap rests on
checks       what code changes in a report
noticing     what it shows to a reviewer; protected: characteristics that are no criterion
asking       what a model is asked
own          what candidates may see
"""

from interviews.protocols.technical_assessment.report.asking import (
    REPORT,
    Held,
    amended,
    asking,
    reported,
)
from interviews.protocols.technical_assessment.report.own import OwnSummary, own_summary
from interviews.protocols.technical_assessment.report.types import FinalReport, Reported

__all__ = [
    "REPORT",
    "FinalReport",
    "Held",
    "OwnSummary",
    "Reported",
    "amended",
    "asking",
    "own_summary",
    "reported",
]
