"""Signals that are made of other signals, read in the second pass."""

from interviews.protocols.laddering.signals.base import NodeSignal, TalkSignal, Value, Values
from interviews.protocols.laddering.signals.moment import FocusCandidate, Moment

EARLY, MID = 5, 15  # nodes: fewer than these
MANY_ORPHANS = 3  # more than these keep an interview in its middle


def number(seen: Values, name: str) -> float:
    """A number of the first pass."""
    return float(seen[name])


class InterviewProgress(TalkSignal):
    """How much of the interview is over."""

    name, pool = "meta.interview_progress", "meta"
    description = (
        "Turns so far as a share of the turn limit, 0 to 1. Towards 1: nothing new, bring to an "
        "end what is open."
    )

    def read(self, moment: Moment, seen: Values) -> float:
        return min(1.0, moment.talk.turn / moment.talk.limit)


class ExplorationScore(TalkSignal):
    """How far the concept is explored."""

    name, pool = "meta.exploration_score", "meta"
    description = (
        "How far the concept is explored, 0 to 1: breadth, depth and connectedness together. Low: "
        "go on exploring; high: confirm and round off."
    )

    def read(self, moment: Moment, seen: Values) -> float:
        nodes = number(seen, "graph.node_count")
        depth = number(seen, "graph.max_depth") / len(moment.methodology.ladder)
        connected = 1 - number(seen, "graph.orphan_count") / nodes if nodes else 0.0
        return (number(seen, "graph.coverage_breadth") + min(1.0, depth) + connected) / 3


class InterviewPhase(TalkSignal):
    """Whether the interview collects, deepens, or ties together."""

    name, pool, values = "meta.interview.phase", "meta", ("early", "mid", "late")
    description = (
        "Where the interview stands by what it has found. Early: collect; mid: climb and tie "
        "together; late: confirm and round off."
    )

    def read(self, moment: Moment, seen: Values) -> str:
        nodes = number(seen, "graph.node_count")
        if nodes < EARLY:
            return "early"
        orphans = number(seen, "graph.orphan_count")
        return "mid" if nodes < MID or orphans > MANY_ORPHANS else "late"


class NodeOpportunity(NodeSignal):
    """What asking about it promises."""

    name, pool = "meta.node.opportunity", "meta"
    values = ("exhausted", "probe_deeper", "fresh")
    description = (
        "What asking about this promises. Exhausted: nothing more; probe_deeper: the last answer "
        "about it was rich but brought nothing new yet, so ask into it; fresh: it is open."
    )

    def read(self, candidate: FocusCandidate, moment: Moment, seen: Values) -> Value:
        if seen["graph.node.exhausted"] == "true":
            return "exhausted"
        return "probe_deeper" if _rich_in_vain(candidate) else "fresh"


def _rich_in_vain(candidate: FocusCandidate) -> bool:
    """Whether the last answer about it was deep and changed nothing there since."""
    state = candidate.state
    if not state.depths or state.depths[-1] != "deep" or state.last_focus is None:
        return False
    return state.last_yield is None or state.last_yield < state.last_focus
