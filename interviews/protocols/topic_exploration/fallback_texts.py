"""Fixed texts, for use without a model or where guards reject its words."""

from functools import partial
from pathlib import Path

from interviews.engine.signal import word_count
from interviews.engine.texts import addressed, fixed
from interviews.protocols.topic_exploration.context import TopicContext
from interviews.protocols.topic_exploration.exploration import Exploration

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


def offer(ctx: TopicContext, exploration: Exploration) -> str:
    turns = exploration.extra_turns
    key = "offers_of_one" if turns == 1 else "offers"
    return say(ctx.language, key, exploration.offers - 1, count=str(turns))


def lead(ctx: TopicContext, topic: int) -> str:
    """Return the words that lead to a question on a topic, by index."""
    state, topics, language = ctx.state.exploration, ctx.state.exploration.topics, ctx.language
    label = ctx.material.topics[topic].label
    if ctx.received.trigger == "opening":
        return say(language, "first_opening", topic=label)
    if topic != state.topic and not topics[topic].started:
        begun = sum(one.started or index == state.topic for index, one in enumerate(topics))
        return say(language, "openings", begun - 1, topic=label)  # each before one comes again
    if topic != state.topic:
        return say(language, "returns", sum(one.deepened > 0 for one in topics), topic=label)
    plain_answer = ctx.reading.intent == "answer" and ctx.reading.care == "none"
    plain_answer = plain_answer and not ctx.state.door
    brief = word_count(ctx.answer, language) < FEW_WORDS
    return say(language, "acknowledgements", ctx.turn) if plain_answer and not brief else ""
