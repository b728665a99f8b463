"""Signals of what the next question could be about."""

from interviews.protocols.laddering.graph.states import STAGNANT
from interviews.protocols.laddering.signals.base import YES_OR_NO, NodeSignal, yes_or_no
from interviews.protocols.laddering.signals.moment import FocusCandidate, Moment

BINS = ("none", "low", "medium", "high")
FORGOTTEN = 20  # turns after which a focus no longer counts


def _bin(count: int) -> str:
    return ("none", "low", "medium", "medium", "high")[min(count, 4)]


class Exhausted(NodeSignal, name="graph.node.exhausted", values=YES_OR_NO):
    """Whether several questions in a row about this brought short answers and nothing new. True:
    leave it, until something else leads back to it."""

    def read(self, candidate: FocusCandidate, moment: Moment) -> str:
        return yes_or_no(candidate.state.exhausted)


class ExhaustionScore(NodeSignal, name="graph.node.exhaustion_score"):
    """How worn the talk about this is, 0 to 1. Up to 0.3 it is fresh, up to 0.6 in use; above, go
    back to something else."""

    def read(self, candidate: FocusCandidate, moment: Moment) -> float:
        return candidate.state.exhaustion_score


class YieldStagnation(NodeSignal, name="graph.node.yield_stagnation", values=YES_OR_NO):
    """Whether no answer of the last three turns brought anything new at or next to this. True:
    asking the same way again will hardly help; try another way or another place."""

    def read(self, candidate: FocusCandidate, moment: Moment) -> str:
        return yes_or_no(candidate.state.turns_since_yield >= STAGNANT)


class FocusStreak(NodeSignal, name="graph.node.focus_streak", values=BINS):
    """How many questions in a row were about this: none, low (1), medium (2 or 3), high (4 and
    more). High: time to come up for air."""

    def read(self, candidate: FocusCandidate, moment: Moment) -> str:
        return _bin(candidate.state.focus_streak)


class IsCurrentFocus(NodeSignal, name="graph.node.is_current_focus", values=YES_OR_NO):
    """Whether the last question was about this. True: going on here needs no bridge; false: say in
    a few words where the question comes from."""

    def read(self, candidate: FocusCandidate, moment: Moment) -> str:
        return yes_or_no(candidate.id == moment.talk.focus)


class RecencyScore(NodeSignal, name="graph.node.recency_score"):
    """How recently a question was about this: 1 just now, falling to 0 after twenty turns; 0 too if
    none ever was. Low: it may be picked up again."""

    def read(self, candidate: FocusCandidate, moment: Moment) -> float:
        since = candidate.state.turns_since_focus
        return 0.0 if since is None else max(0.0, 1 - since / FORGOTTEN)


class IsOrphan(NodeSignal, name="graph.node.is_orphan", values=YES_OR_NO):
    """Whether this was said but is tied to nothing else. True: ask what it leads to, or what it
    comes from."""

    def read(self, candidate: FocusCandidate, moment: Moment) -> str:
        return yes_or_no(candidate.state.orphan and not candidate.uncovered)


class NodeEdgeCount(NodeSignal, name="graph.node.edge_count", full=6):
    """How many ties this has to other things. Many: it is central to this person, and worth
    confirming; few: there is more to ask."""

    def read(self, candidate: FocusCandidate, moment: Moment) -> float:
        return candidate.state.edges_in + candidate.state.edges_out


class NodeStrategyRepetition(NodeSignal, name="graph.node.strategy_repetition", values=BINS):
    """How often in a row this was asked about in the same way: none, low (1), medium (2 or 3), high
    (4 and more). Medium or high: change the way."""

    def read(self, candidate: FocusCandidate, moment: Moment) -> str:
        return _bin(candidate.state.strategy_streak)


class IsUncovered(NodeSignal, name="graph.node.is_uncovered", values=YES_OR_NO):
    """Whether this is a part of the concept that was not spoken of yet. True: bring it up openly;
    nothing that was said can be built on."""

    def read(self, candidate: FocusCandidate, moment: Moment) -> str:
        return yes_or_no(candidate.uncovered)


class ChainDepth(NodeSignal, name="graph.node.chain_depth"):
    """The longest chain of reasons that climbs through this, as a share of the ladder, 0 to 1. Low:
    climb from here; 1: this line of thought is complete."""

    def read(self, candidate: FocusCandidate, moment: Moment) -> float:
        return candidate.chain / len(moment.methodology.ladder)


class IsTop(NodeSignal, name="graph.node.is_top", values=YES_OR_NO):
    """Whether this stands on the highest rung of the ladder. True: there is nothing above, so
    asking why leads nowhere; confirm it, or ask what it rests on."""

    def read(self, candidate: FocusCandidate, moment: Moment) -> str:
        node = moment.graph.by_id.get(candidate.id)
        return yes_or_no(node is not None and node.type == moment.methodology.types[-1])


class IsUnconfirmed(NodeSignal, name="graph.node.is_unconfirmed", values=YES_OR_NO):
    """Whether a complete chain of reasons ends here that the person hasn't been asked to confirm.
    True: say it back and ask whether that is how it is."""

    def read(self, candidate: FocusCandidate, moment: Moment) -> str:
        return yes_or_no("validate" not in candidate.barred)


class IsContradicted(NodeSignal, name="graph.node.is_contradicted", values=YES_OR_NO):
    """Whether the person has since said the contrary of this, and wasn't asked about it. True: name
    both, without reproach, and ask how they go together."""

    def read(self, candidate: FocusCandidate, moment: Moment) -> str:
        return yes_or_no("reconcile" not in candidate.barred)


class NodeOpportunity(
    NodeSignal, name="meta.node.opportunity", values=("exhausted", "probe_deeper", "fresh")
):
    """What asking about this promises. Exhausted: nothing more; probe_deeper: the last answer about
    it was rich but brought nothing new yet, so ask into it; fresh: it is open."""

    def read(self, candidate: FocusCandidate, moment: Moment) -> str:
        state = candidate.state
        if state.exhausted:
            return "exhausted"
        if state.last_focus is None or state.depths[-1:] != ("deep",):
            return "fresh"
        yielded = state.last_yield is not None and state.last_yield >= state.last_focus
        return "fresh" if yielded else "probe_deeper"
