from interviews.protocols.laddering.signals.base import YES_OR_NO, TalkSignal, Values, yes_or_no
from interviews.protocols.laddering.signals.moment import Moment


class NodeCount(TalkSignal):
    name, pool, full = "graph.node_count", "graph", 30
    description = (
        "How many different things were said so far. Few (under 5): still collecting; many (15 and "
        "more): tie together what there is rather than ask for more."
    )

    def read(self, moment: Moment, seen: Values) -> float:
        return moment.metrics.node_count


class EdgeCount(TalkSignal):
    name, pool, full = "graph.edge_count", "graph", 30
    description = (
        "How many ties between things were said. Far fewer than there are things: ask what leads "
        "to what."
    )

    def read(self, moment: Moment, seen: Values) -> float:
        return moment.metrics.edge_count


class MaxDepth(TalkSignal):
    name, pool = "graph.max_depth", "graph"
    description = (
        "How many rungs the longest chain of reasons climbs. As many as the ladder: one line of "
        "thought is complete, and another one may begin."
    )

    def read(self, moment: Moment, seen: Values) -> float:
        return moment.metrics.max_depth

    def scaled(self, value: float, moment: Moment) -> float:
        return min(1.0, value / len(moment.methodology.ladder))


class OrphanCount(TalkSignal):
    name, pool, full = "graph.orphan_count", "graph", 10
    description = (
        "How many things were said that are tied to nothing. More than three: go back to one of "
        "them and ask what it has to do with the rest."
    )

    def read(self, moment: Moment, seen: Values) -> float:
        return moment.metrics.orphan_count


class CoverageBreadth(TalkSignal):
    name, pool = "graph.coverage_breadth", "graph"
    description = (
        "The share of the concept's elements that were spoken of, 0 to 1. Low: bring up one that "
        "was not; 1: all were, so depth is what is left."
    )

    def read(self, moment: Moment, seen: Values) -> float:
        return moment.metrics.coverage_breadth


class HasCompleteChain(TalkSignal):
    name, pool = "graph.chain_completion.has_complete_chain", "graph"
    values = YES_OR_NO
    description = (
        "Whether some chain of reasons climbs from the lowest rung to the highest. True: it can "
        "be summed up and confirmed; false: keep climbing."
    )

    def read(self, moment: Moment, seen: Values) -> str:
        return yes_or_no(bool(moment.metrics.complete))
