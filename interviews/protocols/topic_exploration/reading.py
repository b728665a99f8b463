"""What an answer comes to: for the table of phases, and for what it covers."""

from dataclasses import replace
from typing import Any

from interviews.choices import RULES
from interviews.engine.guards import names_closed
from interviews.engine.language.distress import is_heavy
from interviews.engine.language.wishes import wishes
from interviews.engine.signal import Band, band, concrete, score, word_count
from interviews.protocols.topic_exploration.context import TopicContext, time_left
from interviews.protocols.topic_exploration.exploration import Phase
from interviews.protocols.topic_exploration.phases import Offer, TopicAnswer
from llm.tasks.outcome import Outcome

SUBSTANCE = 4  # words, without a model, of an answer that covers a sub-goal


def understand(ctx: TopicContext, led: Outcome[Any] | None = None) -> TopicAnswer:
    """Return the answer as the table of phases sees it; until it is read, as one that answers."""
    topics, goals = _closed(ctx)
    return replace(_understood(ctx, led), closed_topics=topics, closed_goals=goals)


def _understood(ctx: TopicContext, led: Outcome[Any] | None) -> TopicAnswer:
    left, reading = time_left(ctx), ctx.reading
    if ctx.state.exploration.phase is Phase.DEEP_OFFER:
        return TopicAnswer(seconds_left=left, offer=offer_reply(ctx), stop=reading.wants("stop"))
    by_rules = reading.by == RULES
    # what only follows something hard isn't hard itself
    heavy = reading.care == "heavy" and (not by_rules or is_heavy(ctx.answer, ctx.language))
    if not reading.told:
        return TopicAnswer(Band.LOW, left, covers=False, heavy=heavy)
    found, covers = band(ctx.answer, ctx.language), reading.answers == "fully"
    if by_rules:
        told = word_count(ctx.answer, ctx.language) >= SUBSTANCE
        covers = told or concrete(ctx.answer, ctx.language)
    elif found is Band.LOW and covers:  # short, and a model found that it answers
        found = Band.MEDIUM
    judged = led is None or led.is_judged
    return TopicAnswer(
        Band.MEDIUM if heavy else found,
        left,
        score=score(ctx.answer, ctx.language),
        covers=covers and judged,
        judged=judged,
        heavy=heavy,
    )


def offer_reply(ctx: TopicContext) -> Offer:
    """Return what the answer to the offer is by rules; a model chooses among the moves."""
    if ctx.reading.wants("refuse", "skip"):
        return "REFUSE"
    if wishes(ctx.answer, "yes") or wishes(ctx.answer, "go_on"):
        return "ACCEPT"
    return "REFUSE" if wishes(ctx.answer, "no") else "NEUTRAL"


def _closed(ctx: TopicContext) -> tuple[frozenset[int], frozenset[tuple[int, int]]]:
    """Return the topics and sub-goals that are closed, as a `TopicAnswer` has them.

    They name a closed subject, also one that was refused while a common rule was at work. A refusal
    without a subject closes the topic at hand. As an answer, a refusal closes nothing yet.
    """
    refuses, subject = ctx.reading.wants("refuse"), ctx.reading.closed
    subjects = [one for one in ctx.state.closed if refuses or one != subject]
    topics = {ctx.state.exploration.topic} if refuses and not subject else set[int]()
    goals = set[tuple[int, int]]()
    for i, topic in enumerate(ctx.material.topics if subjects else ()):
        if names_closed(topic.label, subjects, ctx.language):
            topics.add(i)
        written = [f"{goal} {topic.question_for(n)}" for n, goal in enumerate(topic.sub_goals)]
        texts = enumerate((*written, *topic.intelligence.probe_angles))
        goals |= {(i, n) for n, text in texts if names_closed(text, subjects, ctx.language)}
    return frozenset(topics), frozenset(goals)
