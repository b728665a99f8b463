"""The results of a technical assessment: the report, and the candidate's own summary.

report    figures, rules, checks and evidence; pure but for one model call
makers    make both products
exports   reports as tables
pages     the report in the admin, and its form
views     the page with the candidate's summary
"""

from collections.abc import Mapping
from typing import Any

from interviews.models import Session
from interviews.protocols.technical_assessment.observations import RIGHT, observed_in
from interviews.turns.participant_summary import gives_own_summary
from reflections.products import Content, Product, ProtocolResults
from reflections.protocols.technical_assessment import makers, pages
from reflections.protocols.technical_assessment.exports import TABLES
from reflections.protocols.technical_assessment.report.llm_tasks import REPORT


def _counts(content: Content) -> list[tuple[int, str, str]]:
    topics = (content.get("report") or {}).get("technical_review", {}).get("topics", ())
    return [
        (len(topics), "topic", "topics"),
        (len(content.get("unjudged", ())), "answer to judge", "answers to judge"),
        (len(content.get("findings", ())), "finding", "findings"),
    ]


def _has_open_findings(content: Content) -> bool:
    weighty = any(one["weight"] != "plain" for one in content.get("findings", ()))
    return weighty or bool(content.get("needs_person")) or content.get("report") is None


def _judgements(session: Session) -> Mapping[int, Any]:
    return {one.position: one for one in observed_in(session)}


RESULTS = ProtocolResults(
    products=(
        Product(
            "report",
            makers.report,
            tasks=(REPORT,),
            view=pages.report_view,
            amendment=pages.REPORT_AMENDMENT,
            comment_needed=_has_open_findings,
            counts=_counts,
        ),
        Product(
            makers.OWN_SUMMARY,
            makers.summary_for_candidate,
            wanted=gives_own_summary,
            for_participants=True,
        ),
    ),
    tables=TABLES,
    urls="reflections.protocols.technical_assessment.views",
    by_rules=frozenset({"summary"}),
    judgements=_judgements,
    judgements_right=RIGHT,
)
