"""Fixed texts, for use without a model or where guards reject its words."""

from functools import partial
from pathlib import Path

from interviews.engine.signal import word_count
from interviews.engine.texts import addressed, fixed
from interviews.protocols.topic_exploration.blocks import UtteranceAim
from interviews.protocols.topic_exploration.context import TopicContext
from interviews.protocols.topic_exploration.exploration import Phase

FOLDER = Path(__file__).parent / "texts"
say = partial(fixed, folder=FOLDER)
FEW_WORDS = 4  # answers with fewer words are not acknowledged


def intro(ctx: TopicContext) -> str:
    return say(
        ctx.language,
        "intro",
        name=addressed(ctx.name, ctx.language),
        title=ctx.plan.title_in(ctx.language),
        minutes=str(ctx.plan.minutes),
    )


def utterance(ctx: TopicContext, aim: UtteranceAim) -> str:
    if aim.exploration.phase is Phase.DEEP_OFFER:
        return _offer(ctx.language, aim)
    return f"{_lead(ctx, aim)} {question(aim, ctx.language)}".strip()


def _offer(language: str, aim: UtteranceAim) -> str:
    key = "offers_of_one" if aim.extra_turns == 1 else "offers"
    return say(language, key, aim.exploration.offers - 1, count=str(aim.extra_turns))


def question(aim: UtteranceAim, language: str) -> str:
    """Return the sub-goal's own question as it was written, else the plain frame."""
    return aim.question or say(language, "questions", goal=aim.goal)


def _lead(ctx: TopicContext, aim: UtteranceAim) -> str:
    topics, topic, language = aim.exploration.topics, aim.topic.label, ctx.language
    if aim.returns:
        return say(language, "returns", sum(one.deepened > 0 for one in topics), topic=topic)
    if aim.opens_topic:
        return _opening(language, topic, earlier=sum(one.started for one in topics))
    plain_answer = ctx.reading.intent == "answer" and ctx.reading.care == "none"
    brief = word_count(ctx.answer, language) < FEW_WORDS
    return say(language, "acknowledgements", ctx.turn) if plain_answer and not brief else ""


def _opening(language: str, topic: str, earlier: int) -> str:
    """Open a topic in words that no topic had before all of them were used."""
    if not earlier:
        return say(language, "first_opening", topic=topic)
    return say(language, "openings", earlier - 1, topic=topic)
