from collections.abc import Iterator
from operator import attrgetter
from typing import Annotated, Any, NamedTuple

from interviews.engine.protocol import TopicCoverage
from interviews.exports.columns import Table, columns_of
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches, keys
from interviews.models import Session
from interviews.protocols import PROTOCOLS
from interviews.turns.store import plan_content

COVERAGES = {
    "none": "none of its sub-goals was talked about",
    "partial": "some were",
    "full": "all were, or it has none and was talked about",
}


class CoverageRow(NamedTuple):
    session: ExportedSession
    topic: Annotated[str, "The topic's key."]
    label: Annotated[str, "What it is about."]
    turns: Annotated[int, "Turns on it, bonus turns among them."]
    bonus_turns: Annotated[int, "Turns that rich answers earned."]
    deepening_turns: Annotated[int, "Turns when coming back."]
    sub_goals: Annotated[int, "Its sub-goals."]
    covered: Annotated[int, "Sub-goals that were talked about."]
    coverage: Annotated[str, "How much of them.", COVERAGES]
    engagement: Annotated[float, "Mean signal score of its answers."]
    key_insight: Annotated[str, "The best snippet of its answers."]


def rows(selection: Selection) -> Iterator[CoverageRow]:
    read = attrgetter(*CoverageRow._fields[1:])
    for batch in batches(selection.with_content()):
        states = dict(Session.objects.filter(pk__in=keys(batch)).values_list("pk", "state"))
        for session in batch:
            for topic in topics_covered(session.session.plan_id, states[session.session.pk]):
                yield CoverageRow(session, *read(topic))


def topics_covered(plan_id: int, state: dict[str, Any]) -> tuple[TopicCoverage, ...]:
    plan = plan_content(plan_id)
    protocol = PROTOCOLS[plan.protocol]
    return protocol.covered(plan, protocol.state.model_validate(state)) if state else ()


COVERAGE = Table(
    "coverage",
    "One row a topic of each interview that has topics: how far it was talked about.",
    columns_of(CoverageRow),
    rows,
)
