"""What an answer comes to: wishes by rules first, then the fast model, then the signal score."""

from dataclasses import dataclass

from interviews.engine.language.sentences import asks
from interviews.engine.language.wishes import wishes
from interviews.engine.result import CallResults, TaskCall
from interviews.engine.signal import Band, band, score
from interviews.protocols.topic_exploration import tasks
from interviews.protocols.topic_exploration.blocks import NonAnswer
from interviews.protocols.topic_exploration.context import TopicContext, last_said, time_left
from interviews.protocols.topic_exploration.exploration import Phase
from interviews.protocols.topic_exploration.phases import Offer, TopicAnswer

INTENT_KEY, OFFER_KEY = "intent", "offer"
MOST_CLARIFICATIONS = 2  # a topic
BARELY = 12  # words; a longer text with a question mark is still an answer


@dataclass(frozen=True)
class UnderstoodAnswer:
    """The answer for the table of phases, and what it was instead of an answer, if anything."""

    heard: TopicAnswer
    trouble: NonAnswer | None = None


def understand(ctx: TopicContext, results: CallResults) -> UnderstoodAnswer | TaskCall:
    """The answer understood, or the one thing that the fast model must be asked."""
    if ctx.received.trigger == "skip":
        return UnderstoodAnswer(TopicAnswer(Band.LOW, time_left(ctx), offer="REFUSE"))
    if ctx.state.exploration.phase is Phase.DEEP_OFFER:
        return _offer(ctx, results)
    kind = _kind(ctx, results)
    if isinstance(kind, TaskCall):
        return kind
    heard = TopicAnswer(
        band(ctx.answer, ctx.language),
        time_left(ctx),
        stop=kind == "stop",
        score=score(ctx.answer, ctx.language),
    )
    trouble = NonAnswer(kind) if kind in ("clarification", "off_topic") else None
    if trouble is NonAnswer.CLARIFICATION and not _may_clarify(ctx):
        trouble = None
    return UnderstoodAnswer(heard, trouble)


def _kind(ctx: TopicContext, results: CallResults) -> str | TaskCall:
    """answer, clarification, off_topic or stop."""
    if wishes(ctx.answer, "clarify"):
        return "clarification"
    if wishes(ctx.answer, "off_topic"):
        return "off_topic"
    if not _doubtful(ctx.answer):
        return "answer"
    reading = results.get(INTENT_KEY)
    if reading is None:
        return TaskCall(INTENT_KEY, tasks.INTENT, _asked_about(ctx))
    return str(reading.value.kind)


def _doubtful(answer: str) -> bool:
    """Short and with a question in it: it may be put to the interviewer."""
    return asks(answer) and len(answer.split()) <= BARELY


def _may_clarify(ctx: TopicContext) -> bool:
    return ctx.state.exploration.here.clarifications < MOST_CLARIFICATIONS


def _offer(ctx: TopicContext, results: CallResults) -> UnderstoodAnswer | TaskCall:
    chosen: Offer = "NEUTRAL"
    if wishes(ctx.answer, "yes"):
        chosen = "ACCEPT"
    elif wishes(ctx.answer, "no") and not _goes_on(ctx.answer):
        chosen = "REFUSE"
    elif _goes_on(ctx.answer):
        chosen = "ACCEPT"
    else:
        reading = results.get(OFFER_KEY)
        if reading is None:
            return TaskCall(OFFER_KEY, tasks.CONSENT, _asked_about(ctx))
        chosen = {"yes": "ACCEPT", "no": "REFUSE"}.get(reading.value.reading, "NEUTRAL")  # type: ignore[assignment]
    return UnderstoodAnswer(TopicAnswer(seconds_left=time_left(ctx), offer=chosen))


def _goes_on(answer: str) -> bool:
    """ "Let us go on" is listed as a no to "shall we stop?"; to the offer it is a yes."""
    first = answer.casefold().split(maxsplit=1)
    return wishes(answer, "no") and bool(first) and first[0].strip(".,!") not in _NAYS


_NAYS = {"no", "nope", "nah", "not", "нет", "не", "non"}


def _asked_about(ctx: TopicContext) -> tasks.TopicIntentInput:
    return tasks.TopicIntentInput(question=last_said(ctx), said=ctx.answer)
