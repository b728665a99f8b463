"""Where the next question goes: its topic, how hard it is. Pure functions of state and advice."""

import math
from collections import Counter
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from interviews.engine.language.sentences import single_spaced
from interviews.protocols.technical_assessment.context import (
    AssessmentContext,
    options_of,
    script_of,
)
from interviews.protocols.technical_assessment.interviewer import Manner
from interviews.protocols.technical_assessment.observer import ObserverAnalysis
from interviews.protocols.technical_assessment.state import AskedQuestion
from plans.protocols.technical_assessment.content import LEVELS, Grade
from plans.similarity import normalise

START: dict[Grade, int] = {"Junior": 2, "Middle": 3, "Senior": 4}
STEP = {"increase": 1, "same": 0, "decrease": -1}
LEAST_SHARE = 2  # questions that a topic may have while others have had none
NAMED = 85  # of 100: from here on a suggestion names one of the topics
FOCUS = 80  # characters


@dataclass(frozen=True)
class QuestionAim:
    """What the next question is to be."""

    topic: str  # its key
    level: int
    action: str = "same"
    focus: str = ""  # something concrete within the topic
    manner: Manner = "ask"

    @property
    def key(self) -> str:
        """The same for the same aim, so that it can be asked for ahead."""
        return f"question.{self.manner}.{self.topic}.{self.level}.{self.action}.{self.focus}"


def aim_after(ctx: AssessmentContext, advice: ObserverAnalysis) -> QuestionAim:
    """The aim by the observer's advice.

    The first answer tells of experience, which proves nothing: the claimed grade has set the level.
    Off the topic, neither topic nor level moves.
    """
    state = ctx.state
    if advice.off_topic:
        return QuestionAim(_allowed(ctx, state.topic), state.level, manner="steer_back")
    action = "same" if state.open.opening else advice.action
    level = min(LEVELS, max(1, state.level + STEP[action]))
    wish = single_spaced(advice.suggested_topic)[:FOCUS]
    named = named_topic(ctx, wish)
    topic = _allowed(ctx, named or state.topic)
    focus = wish if topic == (named or state.topic) else ""
    return QuestionAim(topic, level, action, focus)


def named_topic(ctx: AssessmentContext, wish: str) -> str:
    """The key of the script's topic that a suggestion names; empty where it names none."""
    titles = {t.key: normalise(t.title) for t in script_of(ctx).topics}
    wanted = normalise(wish)
    if not wanted:
        return ""
    found = process.extractOne(wanted, titles, scorer=fuzz.token_set_ratio, score_cutoff=NAMED)
    return found[2] if found else ""


def topics_allowed(ctx: AssessmentContext) -> list[str]:
    """Topics that may have one more question; where all have had their share, the least asked."""
    keys = [topic.key for topic in script_of(ctx).topics]
    counts = Counter(one.topic for one in ctx.state.asked if not one.opening)
    open_ = [key for key in keys if counts[key] < share(ctx)]
    least = min(counts[key] for key in keys)
    return open_ or [key for key in keys if counts[key] == least]


def share(ctx: AssessmentContext) -> int:
    """How many questions a topic may have before the others have had theirs."""
    room = options_of(ctx).max_turns - 1
    return max(LEAST_SHARE, math.ceil(room / len(script_of(ctx).topics)))


def _allowed(ctx: AssessmentContext, topic: str) -> str:
    """That topic, or the next one in the script's order that may be asked about."""
    allowed = topics_allowed(ctx)
    keys = [one.key for one in script_of(ctx).topics]
    start = keys.index(topic)
    return next(key for key in keys[start:] + keys[:start] if key in allowed)


def nearest(ctx: AssessmentContext, aim: QuestionAim, fresh: list[AskedQuestion]) -> AskedQuestion:
    """Of the base questions left, the nearest to the aim, rather on the side that is advised."""
    allowed = topics_allowed(ctx)

    def far(one: AskedQuestion) -> tuple[bool, bool, int, bool]:
        harder = one.level - aim.level
        aside = harder * STEP[aim.action] < 0
        return one.topic != aim.topic, one.topic not in allowed, abs(harder), aside

    return min(fresh, key=far)
