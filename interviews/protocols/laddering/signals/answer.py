from interviews.protocols.laddering.signals.base import TalkSignal, Values
from interviews.protocols.laddering.signals.moment import Moment


class ResponseDepth(TalkSignal):
    name, pool, values = "llm.response_depth", "llm", ("shallow", "moderate", "deep")
    description = (
        "How much the last answer gave. Shallow: a few words, ask for something concrete or "
        "elsewhere; moderate: there is more to it; deep: reasons or feelings came up, follow them."
    )

    def read(self, moment: Moment, seen: Values) -> str | None:
        return moment.reading.depth if moment.reading else None


class AnswerSentiment(TalkSignal):
    name, pool, values = "llm.sentiment", "llm", ("negative", "neutral", "positive")
    description = (
        "The tone of the last answer. Negative: ask gently what is behind it; positive: ask what "
        "makes it good; neutral: no hint either way."
    )

    def read(self, moment: Moment, seen: Values) -> str | None:
        return moment.reading.sentiment if moment.reading else None


class AnswerTopics(TalkSignal):
    name, pool, full = "llm.topics", "llm", 3
    description = (
        "How many parts of the concept the last answer speaks of. None: it may have wandered; "
        "several: ask how they hang together."
    )

    def read(self, moment: Moment, seen: Values) -> float | None:
        return len(moment.reading.topics) if moment.reading else None
