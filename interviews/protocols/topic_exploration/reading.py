"""What an answer comes to: for the table of phases, and for what it covers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interviews.choices import RULES
from interviews.engine.guards import names_closed
from interviews.engine.language.distress import is_heavy
from interviews.engine.language.wishes import wishes
from interviews.engine.result import CallResults, PartialResults
from interviews.engine.signal import Band, band, concrete, score, word_count
from interviews.protocols.topic_exploration.context import TopicContext, time_left
from interviews.protocols.topic_exploration.exploration import Phase
from interviews.protocols.topic_exploration.phases import Offer, TopicAnswer

REPLY_KEY = "reply"
SUBSTANCE = 4  # words, without a model, of an answer that covers a sub-goal
BY_MODEL: Mapping[str, Offer] = {"yes": "ACCEPT", "no": "REFUSE", "unclear": "NEUTRAL"}


def understand(ctx: TopicContext, results: CallResults, partials: PartialResults) -> TopicAnswer:
    """Return the answer as the table of phases sees it; until it is read, as one that answers."""
    topics, goals = _closed(ctx)
    answer = _understood(ctx, results, partials)
    return replace(answer, closed_topics=topics, closed_goals=goals)


def _understood(ctx: TopicContext, results: CallResults, partials: PartialResults) -> TopicAnswer:
    left, reading = time_left(ctx), ctx.reading
    if ctx.state.exploration.phase is Phase.DEEP_OFFER:
        return TopicAnswer(seconds_left=left, offer=offer_reply(ctx, acceptance(results, partials)))
    heavy = _is_hard(ctx)
    if reading.intent != "answer":
        return TopicAnswer(Band.LOW, left, covers=False, heavy=heavy)
    covers, reply = _covers(ctx, results, partials), results.get(REPLY_KEY)
    judged = reply is None or reply.is_judged
    return TopicAnswer(
        Band.MEDIUM if heavy else _band(ctx, results, covers),
        left,
        score=score(ctx.answer, ctx.language),
        covers=covers and judged,
        judged=judged,
        heavy=heavy,
    )


def _is_hard(ctx: TopicContext) -> bool:
    """Return whether the answer itself tells something hard, and doesn't only follow it."""
    by_rules = ctx.reading.by == RULES
    return ctx.reading.care == "heavy" and (not by_rules or is_heavy(ctx.answer, ctx.language))


def _band(ctx: TopicContext, results: CallResults, covers: bool) -> Band:
    """Return the band of the answer. A short one that a model found to answer isn't LOW."""
    found, reply = band(ctx.answer, ctx.language), results.get(REPLY_KEY)
    without_model = reply is not None and not reply.by_model
    return Band.MEDIUM if found is Band.LOW and covers and not without_model else found


def _covers(ctx: TopicContext, results: CallResults, partials: PartialResults) -> bool:
    """Return whether it answers the question; a guess while a model is still reading it."""
    met = written(results, partials).get("met")
    if not isinstance(met, list):  # nor is anything else, in a reply that isn't read to the end
        told = word_count(ctx.answer, ctx.language) >= SUBSTANCE
        return told or concrete(ctx.answer, ctx.language)
    goals = {goal for goal in met if isinstance(goal, int)}
    return set(ctx.state.exploration.current.left[:1]) <= goals


def written(results: CallResults, partials: PartialResults) -> Mapping[str, Any]:
    """Return what a model has written of the reply; nothing until all that decides is there."""
    whole = results.get(REPLY_KEY)
    if whole is None:
        partial = partials.get(REPLY_KEY, {})
        return partial if "utterance" in partial else {}
    fields: dict[str, Any] = whole.value.model_dump()
    return fields if whole.by_model else {}


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


# -- the answer to the offer


def offer_reply(ctx: TopicContext, accepts: str) -> Offer:
    """Return what the answer to the offer is.

    `accepts` is a model's reading; without one, or until it has read, it is empty or "unclear".
    """
    if ctx.reading.wants("stop", "refuse", "skip"):
        return "REFUSE"
    if wishes(ctx.answer, "yes") or wishes(ctx.answer, "go_on"):
        return "ACCEPT"
    if wishes(ctx.answer, "no"):
        return "REFUSE"
    return BY_MODEL.get(accepts, "ACCEPT")


def acceptance(results: CallResults, partials: PartialResults) -> str:
    """Return the acceptance as it was read; '' while the answer isn't read yet."""
    unread = "unclear" if REPLY_KEY in results else ""
    return str(written(results, partials).get("accepts", unread))
