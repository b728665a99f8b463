"""The products of every interview."""

from reflections.products import Product
from reflections.summaries.coverage import coverage
from reflections.summaries.llm_tasks import FACTS, RETELL
from reflections.summaries.makers import facts, summary

COMMON = (
    Product(
        "summary",
        summary,
        tasks=(RETELL,),
        condenses=True,
        has_statements=True,
        for_participants=True,
    ),
    Product("facts", facts, tasks=(FACTS,), condenses=True, has_statements=True),
    Product(
        "coverage",
        coverage,
        template="admin/reflections/coverage.html",
        counts=lambda content: [(len(content.get("topics", ())), "topic", "topics")],
    ),
)
