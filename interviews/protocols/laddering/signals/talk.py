"""Signals of the interview as a whole."""

from interviews.protocols.laddering.signals.base import YES_OR_NO, TalkSignal, yes_or_no
from interviews.protocols.laddering.signals.moment import Moment

EARLY, MID = 5, 15  # nodes: fewer than these
MANY_ORPHANS = 3  # more than these keep an interview in its middle


class ResponseDepth(TalkSignal, name="llm.response_depth", values=("shallow", "moderate", "deep")):
    """How much the last answer gave. Shallow: a few words, ask for something concrete or elsewhere;
    moderate: there is more to it; deep: reasons or feelings came up, follow them."""

    def read(self, moment: Moment) -> str | None:
        return moment.reading.depth if moment.reading else None


class AnswerSentiment(TalkSignal, name="llm.sentiment", values=("negative", "neutral", "positive")):
    """The tone of the last answer. Negative: ask gently what is behind it; positive: ask what makes
    it good; neutral: no hint either way."""

    def read(self, moment: Moment) -> str | None:
        return moment.reading.sentiment if moment.reading else None


class AnswerTopics(TalkSignal, name="llm.topics", full=3):
    """How many parts of the concept the last answer speaks of. None: it may have wandered; several:
    ask how they hang together."""

    def read(self, moment: Moment) -> float | None:
        return len(moment.reading.topics) if moment.reading else None


class NodeCount(TalkSignal, name="graph.node_count", full=30):
    """How many different things were said so far. Few (under 5): still collecting; many (15 and
    more): tie together what there is rather than ask for more."""

    def read(self, moment: Moment) -> float:
        return moment.metrics.node_count


class EdgeCount(TalkSignal, name="graph.edge_count", full=30):
    """How many ties between things were said. Far fewer than there are things: ask what leads to
    what."""

    def read(self, moment: Moment) -> float:
        return moment.metrics.edge_count


class MaxDepth(TalkSignal, name="graph.max_depth", full=None):
    """How many rungs the longest chain of reasons climbs. As many as the ladder: one line of
    thought is complete, and another one may begin."""

    def read(self, moment: Moment) -> float:
        return moment.metrics.max_depth


class OrphanCount(TalkSignal, name="graph.orphan_count", full=10):
    """How many things were said that are tied to nothing. More than three: go back to one of them
    and ask what it has to do with the rest."""

    def read(self, moment: Moment) -> float:
        return moment.metrics.orphan_count


class CoverageBreadth(TalkSignal, name="graph.coverage_breadth"):
    """The share of the concept's elements that were spoken of, 0 to 1. Low: bring up one that was
    not; 1: all were, so depth is what is left."""

    def read(self, moment: Moment) -> float:
        return moment.metrics.coverage_breadth


class HasCompleteChain(
    TalkSignal, name="graph.chain_completion.has_complete_chain", values=YES_OR_NO
):
    """Whether some chain of reasons climbs from the lowest rung to the highest. True: it can be
    summed up and confirmed; false: keep climbing."""

    def read(self, moment: Moment) -> str:
        return yes_or_no(bool(moment.metrics.complete))


class StrategyRepetitionCount(TalkSignal, name="temporal.strategy_repetition_count", full=5):
    """How many questions in a row asked in the same way. Three and more: it begins to feel like a
    form; ask differently."""

    def read(self, moment: Moment) -> float:
        return moment.talk.strategy_turns


class TurnsSinceFocusChange(TalkSignal, name="temporal.turns_since_focus_change", full=5):
    """How many turns the talk has stayed with one thing. Many: come back up and look around; none:
    it has just moved, stay for a while."""

    def read(self, moment: Moment) -> float:
        return moment.talk.focus_turns


class InterviewProgress(TalkSignal, name="meta.interview_progress"):
    """Turns so far as a share of the turn limit, 0 to 1. Towards 1: nothing new, bring to an end
    what is open."""

    def read(self, moment: Moment) -> float:
        return min(1.0, moment.talk.turn / moment.talk.limit)


class ExplorationScore(TalkSignal, name="meta.exploration_score"):
    """How far the concept is explored, 0 to 1: breadth, depth and connectedness together. Low: go
    on exploring; high: confirm and round off."""

    def read(self, moment: Moment) -> float:
        metrics = moment.metrics
        nodes = metrics.node_count
        depth = metrics.max_depth / len(moment.methodology.ladder)
        connected = 1 - metrics.orphan_count / nodes if nodes else 0.0
        return (metrics.coverage_breadth + min(1.0, depth) + connected) / 3


class InterviewPhase(TalkSignal, name="meta.interview.phase", values=("early", "mid", "late")):
    """Where the interview stands by what it has found. Early: collect; mid: climb and tie together;
    late: confirm and round off."""

    def read(self, moment: Moment) -> str:
        nodes = moment.metrics.node_count
        if nodes < EARLY:
            return "early"
        return "mid" if nodes < MID or moment.metrics.orphan_count > MANY_ORPHANS else "late"
