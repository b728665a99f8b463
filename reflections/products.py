"""What can be made of an interview, by name, and what follows from it."""

from collections.abc import Callable
from functools import partial
from typing import Any

from interviews.models import Session
from reflections import transfers
from reflections.coverage import coverage
from reflections.experts.making import expert_reflection
from reflections.ladders import ladders
from reflections.models import EXPERT
from reflections.narrating.making import facts, summary
from reflections.reports import OWN_SUMMARY, report, summary_for_candidate

Maker = Callable[[Session], dict[str, Any]]  # gives the content; raises what plans.jobs knows
MAKERS: dict[str, Maker] = {
    "summary": summary,
    "facts": facts,
    "coverage": coverage,
    "ladders": ladders,
    "report": report,
    OWN_SUMMARY: summary_for_candidate,
    transfers.SUMMARY: transfers.transfer_summary,
    transfers.PACKAGE: transfers.onboarding_package,
    transfers.CONTEXT: transfers.qa_context,
}
FOLLOWING = {transfers.SUMMARY: transfers.AFTER_SUMMARY}  # name -> what is made after it


def maker_of(name: str) -> Maker:
    """Who makes the product of that name. Raises KeyError for one that nobody knows."""
    if name.startswith(EXPERT):
        return partial(expert_reflection, key=name.removeprefix(EXPERT))
    return MAKERS[name]
