"""One row a topic of each interview: how far it was talked about."""

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, NamedTuple

from interviews.engine.types import TopicCovered
from interviews.exports.columns import Column, Table, Type
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, keys, session_columns
from interviews.models import Session
from interviews.protocols import PROTOCOLS
from interviews.store import plan_content

COVERAGES = {
    "none": "none of its sub-goals was talked about",
    "partial": "some were",
    "full": "all were, or it has none and was talked about",
}


class Covered(NamedTuple):
    """One topic of one interview."""

    session: Facts
    topic: TopicCovered


def rows(chosen: Selection) -> Iterator[Covered]:
    """Every topic of every chosen interview that has topics."""
    for batch in batches(chosen.with_content()):
        states = dict(Session.objects.filter(pk__in=keys(batch)).values_list("pk", "state"))
        for facts in batch:
            for topic in _topics(facts, states[facts.session.pk]):
                yield Covered(facts, topic)


def _topics(facts: Facts, state: dict[str, Any]) -> tuple[TopicCovered, ...]:
    plan = plan_content(facts.session.plan_id)
    protocol = PROTOCOLS[plan.protocol]
    return protocol.covered(plan, protocol.state.model_validate(state)) if state else ()


def _of(name: str) -> Callable[[Covered], Any]:
    return attrgetter(f"topic.{name}")


COVERAGE: Table[Covered] = Table(
    "coverage",
    "One row a topic of each interview that has topics: how far it was talked about.",
    (
        *session_columns(),
        Column("topic", Type.STRING, "The topic's key.", _of("topic")),
        Column("label", Type.STRING, "What it is about.", _of("label")),
        Column("turns", Type.INTEGER, "Turns on it, bonus turns among them.", _of("turns")),
        Column("bonus_turns", Type.INTEGER, "Turns that rich answers earned.", _of("bonus_turns")),
        Column("deepening_turns", Type.INTEGER, "Turns when coming back.", _of("deepening_turns")),
        Column("sub_goals", Type.INTEGER, "Its sub-goals.", _of("sub_goals")),
        Column("covered", Type.INTEGER, "Sub-goals that were talked about.", _of("covered")),
        Column("coverage", Type.STRING, "How much of them.", _of("coverage"), COVERAGES),
        Column("engagement", Type.NUMBER, "Mean signal score of its answers.", _of("engagement")),
        Column("key_insight", Type.STRING, "The best snippet of its answers.", _of("key_insight")),
    ),
    rows,
    shared=SHARED,
)
