from dataclasses import dataclass

from interviews.engine.language.sentences import asks
from interviews.engine.language.wishes import wishes
from interviews.engine.result import CallResults, TaskCall
from interviews.engine.signal import Band, band, score
from interviews.protocols.topic_exploration import tasks
from interviews.protocols.topic_exploration.blocks import NonAnswer
from interviews.protocols.topic_exploration.context import TopicContext, last_utterance, time_left
from interviews.protocols.topic_exploration.exploration import Phase
from interviews.protocols.topic_exploration.phases import Offer, TopicAnswer

INTENT_KEY, OFFER_KEY = "intent", "offer"
MAX_NON_ANSWERS = 2  # per topic; from then on they use turns
MAX_QUESTION_WORDS = 12  # a longer text with a question mark is still an answer
NO_WORDS = {"no", "nope", "nah", "not", "нет", "не", "non"}


@dataclass(frozen=True)
class UnderstoodAnswer:
    answer: TopicAnswer
    non_answer: NonAnswer | None = None


def understand(ctx: TopicContext, results: CallResults) -> UnderstoodAnswer | TaskCall:
    """Understand the answer by rules, or return the model call that this needs."""
    if ctx.received.trigger == "skip":
        return UnderstoodAnswer(TopicAnswer(Band.LOW, time_left(ctx), offer="REFUSE"))
    if ctx.state.exploration.phase is Phase.DEEP_OFFER:
        return _understand_offer(ctx, results)
    kind = _answer_kind(ctx, results)
    if isinstance(kind, TaskCall):
        return kind
    if kind in ("clarification", "off_topic"):
        moves_on = TopicAnswer(Band.LOW, time_left(ctx))
        return UnderstoodAnswer(moves_on, None if _must_move_on(ctx) else NonAnswer(kind))
    answer = TopicAnswer(
        band(ctx.answer, ctx.language),
        time_left(ctx),
        stop=kind == "stop",
        score=score(ctx.answer, ctx.language),
    )
    return UnderstoodAnswer(answer)


def _must_move_on(ctx: TopicContext) -> bool:
    """Return whether even a non-answer uses its turn: time is out, or the topic had too many."""
    exploration = ctx.state.exploration
    time_out = exploration.phase is Phase.EXPLORE and time_left(ctx) <= 0
    return time_out or exploration.current.clarifications >= MAX_NON_ANSWERS


def _answer_kind(ctx: TopicContext, results: CallResults) -> str | TaskCall:
    if wishes(ctx.answer, "clarify"):
        return "clarification"
    if wishes(ctx.answer, "off_topic"):
        return "off_topic"
    if not asks(ctx.answer) or len(ctx.answer.split()) > MAX_QUESTION_WORDS:
        return "answer"
    result = results.get(INTENT_KEY)
    if result is None:
        return TaskCall(INTENT_KEY, tasks.INTENT, _intent_input(ctx))
    return str(result.value.kind)


def _understand_offer(ctx: TopicContext, results: CallResults) -> UnderstoodAnswer | TaskCall:
    offer: Offer = "NEUTRAL"
    if wishes(ctx.answer, "yes") or _wants_to_continue(ctx.answer):
        offer = "ACCEPT"
    elif wishes(ctx.answer, "no"):
        offer = "REFUSE"
    else:
        result = results.get(OFFER_KEY)
        if result is None:
            return TaskCall(OFFER_KEY, tasks.CONSENT, _intent_input(ctx))
        offer = {"yes": "ACCEPT", "no": "REFUSE"}.get(result.value.reading, "NEUTRAL")  # type: ignore[assignment]
    return UnderstoodAnswer(TopicAnswer(seconds_left=time_left(ctx), offer=offer))


def _wants_to_continue(answer: str) -> bool:
    """Return whether a listed "no" accepts: "let us go on" is a no only to "shall we stop?"."""
    first = answer.casefold().split(maxsplit=1)
    return wishes(answer, "no") and bool(first) and first[0].strip(".,!") not in NO_WORDS


def _intent_input(ctx: TopicContext) -> tasks.TopicIntentInput:
    return tasks.TopicIntentInput(question=last_utterance(ctx), said=ctx.answer)
