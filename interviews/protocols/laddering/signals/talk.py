"""Signals of the interview as a whole."""

from interviews.protocols.laddering.signals.base import YES_OR_NO, talk_signal, yes_or_no
from interviews.protocols.laddering.signals.moment import Moment

EARLY, MID = 5, 15  # nodes: fewer than these
MANY_ORPHANS = 3  # more than these keep an interview in its middle


@talk_signal("llm.response_depth", ("shallow", "moderate", "deep"))
def response_depth(moment: Moment) -> str | None:
    """How much the last answer gave. Shallow: a few words, ask for something concrete or elsewhere;
    moderate: there is more to it; deep: reasons or feelings came up, follow them."""
    return moment.reading.depth if moment.reading else None


@talk_signal("llm.sentiment", ("negative", "neutral", "positive"))
def answer_sentiment(moment: Moment) -> str | None:
    """The tone of the last answer. Negative: ask gently what is behind it; positive: ask what makes
    it good; neutral: no hint either way."""
    return moment.reading.sentiment if moment.reading else None


@talk_signal("llm.topics", full=3)
def answer_topics(moment: Moment) -> float | None:
    """How many parts of the concept the last answer speaks of. None: it may have wandered; several:
    ask how they hang together."""
    return len(moment.reading.topics) if moment.reading else None


@talk_signal("graph.node_count", full=30)
def node_count(moment: Moment) -> float:
    """How many different things were said so far. Few (under 5): still collecting; many (15 and
    more): tie together what there is rather than ask for more."""
    return moment.metrics.node_count


@talk_signal("graph.edge_count", full=30)
def edge_count(moment: Moment) -> float:
    """How many ties between things were said. Far fewer than there are things: ask what leads to
    what."""
    return moment.metrics.edge_count


@talk_signal("graph.max_depth", full=None)
def max_depth(moment: Moment) -> float:
    """How many rungs the longest chain of reasons climbs. As many as the ladder: one line of
    thought is complete, and another one may begin."""
    return moment.metrics.max_depth


@talk_signal("graph.orphan_count", full=10)
def orphan_count(moment: Moment) -> float:
    """How many things were said that are tied to nothing. More than three: go back to one of them
    and ask what it has to do with the rest."""
    return moment.metrics.orphan_count


@talk_signal("graph.coverage_breadth")
def coverage_breadth(moment: Moment) -> float:
    """The share of the concept's elements that were spoken of, 0 to 1. Low: bring up one that was
    not; 1: all were, so depth is what is left."""
    return moment.metrics.coverage_breadth


@talk_signal("graph.chain_completion.has_complete_chain", YES_OR_NO)
def has_complete_chain(moment: Moment) -> str:
    """Whether some chain of reasons climbs from the lowest rung to the highest. True: it can be
    summed up and confirmed; false: keep climbing."""
    return yes_or_no(bool(moment.metrics.complete))


@talk_signal("temporal.strategy_repetition_count", full=5)
def strategy_repetition_count(moment: Moment) -> float:
    """How many questions in a row asked in the same way. Three and more: it begins to feel like a
    form; ask differently."""
    return moment.talk.strategy_turns


@talk_signal("temporal.turns_since_focus_change", full=5)
def turns_since_focus_change(moment: Moment) -> float:
    """How many turns the talk has stayed with one thing. Many: come back up and look around; none:
    it has just moved, stay for a while."""
    return moment.talk.focus_turns


@talk_signal("meta.interview_progress")
def interview_progress(moment: Moment) -> float:
    """Turns so far as a share of the turn limit, 0 to 1. Towards 1: nothing new, bring to an end
    what is open."""
    return min(1.0, moment.talk.turn / moment.talk.limit)


@talk_signal("meta.exploration_score")
def exploration_score(moment: Moment) -> float:
    """How far the concept is explored, 0 to 1: breadth, depth and connectedness together. Low: go
    on exploring; high: confirm and round off."""
    metrics = moment.metrics
    nodes = metrics.node_count
    depth = metrics.max_depth / len(moment.methodology.ladder)
    connected = 1 - metrics.orphan_count / nodes if nodes else 0.0
    return (metrics.coverage_breadth + min(1.0, depth) + connected) / 3


@talk_signal("meta.interview.phase", ("early", "mid", "late"))
def interview_phase(moment: Moment) -> str:
    """Where the interview stands by what it has found. Early: collect; mid: climb and tie together;
    late: confirm and round off."""
    nodes = moment.metrics.node_count
    if nodes < EARLY:
        return "early"
    return "mid" if nodes < MID or moment.metrics.orphan_count > MANY_ORPHANS else "late"
