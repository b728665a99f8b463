import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from interviews.engine.guards import names_closed
from interviews.engine.language.sentences import single_spaced
from interviews.protocols.technical_assessment.context import AssessmentContext, script_of
from interviews.protocols.technical_assessment.observer import Advice
from interviews.protocols.technical_assessment.state import AskedQuestion
from plans.protocols.technical_assessment.content import LEVELS, Grade
from plans.similarity import normalise

START_LEVELS: dict[Grade, int] = {"Junior": 2, "Middle": 3, "Senior": 4}
LEVEL_STEPS = {"increase": 1, "same": 0, "decrease": -1}
MIN_SHARE = 2  # questions per topic, at least
MIN_SIMILARITY = 85  # of 100, for a suggestion to name a topic
MAX_FOCUS_LENGTH = 80


@dataclass(frozen=True)
class QuestionAim:
    topic: str  # its key
    level: int
    action: str = "same"
    focus: str = ""  # something concrete within the topic

    @property
    def key(self) -> str:
        """Equal for equal aims, so that a question can be requested ahead."""
        return f"question.ask.{self.topic}.{self.level}.{self.action}.{self.focus}"


def turns_used(ctx: AssessmentContext) -> bool:
    """Return whether the open question takes the last turn."""
    return ctx.state.answered + 1 >= ctx.material.options.max_turns


def next_aim(ctx: AssessmentContext, advice: Advice) -> QuestionAim | None:
    """Return the next aim from the observer's advice; None if no question is to come.

    The first answer is about experience, which proves nothing, so it never changes the level.
    """
    state = ctx.state
    if turns_used(ctx) or state.last_asked or state.ends_early:
        return None
    action = "same" if state.open.opening else advice.action
    level = min(LEVELS, max(1, state.level + LEVEL_STEPS[action]))
    suggestion = single_spaced(advice.suggested_topic)[:MAX_FOCUS_LENGTH]
    wanted = _named_topic(ctx, suggestion) or state.topic
    topic = _allowed_topic(ctx, wanted)
    focus = suggestion if topic == wanted else ""
    return QuestionAim(topic, level, action, focus)


def _named_topic(ctx: AssessmentContext, suggestion: str) -> str:
    titles = {t.key: normalise(t.title) for t in script_of(ctx).topics}
    wanted = normalise(suggestion)
    if not wanted:
        return ""
    match = process.extractOne(
        wanted, titles, scorer=fuzz.token_set_ratio, score_cutoff=MIN_SIMILARITY
    )
    return match[2] if match else ""


def _allowed_topics(ctx: AssessmentContext) -> list[str]:
    """Return open topics below their share of questions; without any, those asked about least."""
    topics, closed = script_of(ctx).topics, ctx.state.closed
    keys = [t.key for t in topics if not (closed and names_closed(t.title, closed, ctx.language))]
    keys = keys or [topic.key for topic in topics]
    counts = Counter(one.topic for one in ctx.state.asked if not one.opening)
    share = max(MIN_SHARE, math.ceil((ctx.material.options.max_turns - 1) / len(keys)))
    below_share = [key for key in keys if counts[key] < share]
    least = min(counts[key] for key in keys)
    return below_share or [key for key in keys if counts[key] == least]


def _allowed_topic(ctx: AssessmentContext, topic: str) -> str:
    """Return the topic, or the next one in the script's order that may be asked about."""
    allowed = _allowed_topics(ctx)
    keys = [one.key for one in script_of(ctx).topics]
    start = keys.index(topic)
    return next(key for key in keys[start:] + keys[:start] if key in allowed)


def nearest_question(
    ctx: AssessmentContext, aim: QuestionAim, left: Sequence[AskedQuestion]
) -> AskedQuestion:
    allowed = _allowed_topics(ctx)

    def distance(one: AskedQuestion) -> tuple[bool, bool, int, bool]:
        harder = one.level - aim.level
        wrong_way = harder * LEVEL_STEPS[aim.action] < 0
        return one.topic != aim.topic, one.topic not in allowed, abs(harder), wrong_way

    return min(left, key=distance)
