"""Signals of what the next question could be about."""

from interviews.protocols.laddering.graph.states import STAGNANT
from interviews.protocols.laddering.signals.base import YES_OR_NO, node_signal, yes_or_no
from interviews.protocols.laddering.signals.moment import FocusCandidate, Moment

BINS = ("none", "low", "medium", "high")
FORGOTTEN = 20  # turns after which a focus no longer counts


def _bin(count: int) -> str:
    return ("none", "low", "medium", "medium", "high")[min(count, 4)]


@node_signal("graph.node.exhausted", YES_OR_NO)
def exhausted(candidate: FocusCandidate, moment: Moment) -> str:
    """Whether several questions in a row about this brought short answers and nothing new. True:
    leave it, until something else leads back to it."""
    return yes_or_no(candidate.state.exhausted)


@node_signal("graph.node.exhaustion_score")
def exhaustion_score(candidate: FocusCandidate, moment: Moment) -> float:
    """How worn the talk about this is, 0 to 1. Up to 0.3 it is fresh, up to 0.6 in use; above, go
    back to something else."""
    return candidate.state.exhaustion_score


@node_signal("graph.node.yield_stagnation", YES_OR_NO)
def yield_stagnation(candidate: FocusCandidate, moment: Moment) -> str:
    """Whether no answer of the last three turns brought anything new at or next to this. True:
    asking the same way again will hardly help; try another way or another place."""
    return yes_or_no(candidate.state.turns_since_yield >= STAGNANT)


@node_signal("graph.node.focus_streak", BINS)
def focus_streak(candidate: FocusCandidate, moment: Moment) -> str:
    """How many questions in a row were about this: none, low (1), medium (2 or 3), high (4 and
    more). High: time to come up for air."""
    return _bin(candidate.state.focus_streak)


@node_signal("graph.node.is_current_focus", YES_OR_NO)
def is_current_focus(candidate: FocusCandidate, moment: Moment) -> str:
    """Whether the last question was about this. True: going on here needs no bridge; false: say in
    a few words where the question comes from."""
    return yes_or_no(candidate.id == moment.talk.focus)


@node_signal("graph.node.recency_score")
def recency_score(candidate: FocusCandidate, moment: Moment) -> float:
    """How recently a question was about this: 1 just now, falling to 0 after twenty turns; 0 too if
    none ever was. Low: it may be picked up again."""
    since = candidate.state.turns_since_focus
    return 0.0 if since is None else max(0.0, 1 - since / FORGOTTEN)


@node_signal("graph.node.is_orphan", YES_OR_NO)
def is_orphan(candidate: FocusCandidate, moment: Moment) -> str:
    """Whether this was said but is tied to nothing else. True: ask what it leads to, or what it
    comes from."""
    return yes_or_no(candidate.state.orphan and not candidate.uncovered)


@node_signal("graph.node.edge_count", full=6)
def node_edge_count(candidate: FocusCandidate, moment: Moment) -> float:
    """How many ties this has to other things. Many: it is central to this person, and worth
    confirming; few: there is more to ask."""
    return candidate.state.edges_in + candidate.state.edges_out


@node_signal("graph.node.strategy_repetition", BINS)
def node_strategy_repetition(candidate: FocusCandidate, moment: Moment) -> str:
    """How often in a row this was asked about in the same way: none, low (1), medium (2 or 3), high
    (4 and more). Medium or high: change the way."""
    return _bin(candidate.state.strategy_streak)


@node_signal("graph.node.is_uncovered", YES_OR_NO)
def is_uncovered(candidate: FocusCandidate, moment: Moment) -> str:
    """Whether this is a part of the concept that was not spoken of yet. True: bring it up openly;
    nothing that was said can be built on."""
    return yes_or_no(candidate.uncovered)


@node_signal("graph.node.chain_depth")
def chain_depth(candidate: FocusCandidate, moment: Moment) -> float:
    """The longest chain of reasons that climbs through this, as a share of the ladder, 0 to 1. Low:
    climb from here; 1: this line of thought is complete."""
    return candidate.chain / len(moment.methodology.ladder)


@node_signal("graph.node.is_top", YES_OR_NO)
def is_top(candidate: FocusCandidate, moment: Moment) -> str:
    """Whether this stands on the highest rung of the ladder. True: there is nothing above, so
    asking why leads nowhere; confirm it, or ask what it rests on."""
    node = moment.graph.by_id.get(candidate.id)
    return yes_or_no(node is not None and node.type == moment.methodology.types[-1])


@node_signal("graph.node.is_unconfirmed", YES_OR_NO)
def is_unconfirmed(candidate: FocusCandidate, moment: Moment) -> str:
    """Whether a complete chain of reasons ends here that the person hasn't been asked to confirm.
    True: say it back and ask whether that is how it is."""
    return yes_or_no("validate" not in candidate.barred)


@node_signal("graph.node.is_contradicted", YES_OR_NO)
def is_contradicted(candidate: FocusCandidate, moment: Moment) -> str:
    """Whether the person has since said the contrary of this, and wasn't asked about it. True: name
    both, without reproach, and ask how they go together."""
    return yes_or_no("reconcile" not in candidate.barred)


@node_signal("meta.node.opportunity", ("exhausted", "probe_deeper", "fresh"))
def node_opportunity(candidate: FocusCandidate, moment: Moment) -> str:
    """What asking about this promises. Exhausted: nothing more; probe_deeper: the last answer about
    it was rich but brought nothing new yet, so ask into it; fresh: it is open."""
    state = candidate.state
    if state.exhausted:
        return "exhausted"
    if state.last_focus is None or state.depths[-1:] != ("deep",):
        return "fresh"
    yielded = state.last_yield is not None and state.last_yield >= state.last_focus
    return "fresh" if yielded else "probe_deeper"
