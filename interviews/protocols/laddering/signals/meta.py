"""Signals that are computed from other signals, in the second pass."""

from interviews.protocols.laddering.signals.base import NodeSignal, TalkSignal, Value, Values
from interviews.protocols.laddering.signals.moment import FocusCandidate, Moment

EARLY, MID = 5, 15  # nodes: fewer than these
MANY_ORPHANS = 3  # more than these keep an interview in its middle


class InterviewProgress(TalkSignal):
    name, pool = "meta.interview_progress", "meta"
    description = (
        "Turns so far as a share of the turn limit, 0 to 1. Towards 1: nothing new, bring to an "
        "end what is open."
    )

    def read(self, moment: Moment, seen: Values) -> float:
        return min(1.0, moment.talk.turn / moment.talk.limit)


class ExplorationScore(TalkSignal):
    name, pool = "meta.exploration_score", "meta"
    description = (
        "How far the concept is explored, 0 to 1: breadth, depth and connectedness together. Low: "
        "go on exploring; high: confirm and round off."
    )

    def read(self, moment: Moment, seen: Values) -> float:
        nodes = float(seen["graph.node_count"])
        depth = float(seen["graph.max_depth"]) / len(moment.methodology.ladder)
        connected = 1 - float(seen["graph.orphan_count"]) / nodes if nodes else 0.0
        return (float(seen["graph.coverage_breadth"]) + min(1.0, depth) + connected) / 3


class InterviewPhase(TalkSignal):
    name, pool, values = "meta.interview.phase", "meta", ("early", "mid", "late")
    description = (
        "Where the interview stands by what it has found. Early: collect; mid: climb and tie "
        "together; late: confirm and round off."
    )

    def read(self, moment: Moment, seen: Values) -> str:
        nodes = float(seen["graph.node_count"])
        if nodes < EARLY:
            return "early"
        orphans = float(seen["graph.orphan_count"])
        return "mid" if nodes < MID or orphans > MANY_ORPHANS else "late"


class NodeOpportunity(NodeSignal):
    name, pool = "meta.node.opportunity", "meta"
    values = ("exhausted", "probe_deeper", "fresh")
    description = (
        "What asking about this promises. Exhausted: nothing more; probe_deeper: the last answer "
        "about it was rich but brought nothing new yet, so ask into it; fresh: it is open."
    )

    def read(self, candidate: FocusCandidate, moment: Moment, seen: Values) -> Value:
        if seen["graph.node.exhausted"] == "true":
            return "exhausted"
        state = candidate.state
        if state.last_focus is None or state.depths[-1:] != ("deep",):
            return "fresh"
        yielded = state.last_yield is not None and state.last_yield >= state.last_focus
        return "fresh" if yielded else "probe_deeper"
