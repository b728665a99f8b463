from interviews.protocols.laddering.signals.base import TalkSignal, Values
from interviews.protocols.laddering.signals.moment import Moment


class StrategyRepetitionCount(TalkSignal):
    name, pool, full = "temporal.strategy_repetition_count", "temporal", 5
    description = (
        "How many questions in a row asked in the same way. Three and more: it begins to feel like "
        "a form; ask differently."
    )

    def read(self, moment: Moment, seen: Values) -> float:
        return moment.talk.strategy_turns


class TurnsSinceFocusChange(TalkSignal):
    name, pool, full = "temporal.turns_since_focus_change", "temporal", 5
    description = (
        "How many turns the talk has stayed with one thing. Many: come back up and look around; "
        "none: it has just moved, stay for a while."
    )

    def read(self, moment: Moment, seen: Values) -> float:
        return moment.talk.focus_turns
