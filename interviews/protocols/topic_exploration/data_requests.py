"""Requests for consent and data in a language that has no fixed words: said by the model, guarded.

Where there are fixed words they are said as they stand: consent is no place for variety.
"""

from functools import partial

from interviews.choices import EntryKind
from interviews.engine.language.sentences import asks
from interviews.engine.language.wishes import plain
from interviews.protocols.topic_exploration import blocks, guards, tasks
from interviews.protocols.topic_exploration.aim import dialogue
from interviews.protocols.topic_exploration.context import TopicContext
from interviews.protocols.topic_exploration.data_collection import CollectionStep
from interviews.protocols.topic_exploration.utterance import UtteranceRequest


def request(ctx: TopicContext, found: CollectionStep) -> UtteranceRequest:
    """How the model is asked for it, what guards it, and the fixed words in reserve."""
    return UtteranceRequest(
        data=partial(_data, ctx, found),
        checks=[("data_collection", partial(_why_not, ctx, found))],
        reserve=lambda: found.text,
    )


def _data(ctx: TopicContext, found: CollectionStep, why: str) -> tasks.ReplyInput:
    """The answer itself is confidential and stays out of the prompt."""
    focus = f"Say exactly this in {ctx.language}, leave nothing out, add nothing: {found.text}"
    if why:
        focus += f"\nA first wording could not be used ({why})."
    return tasks.ReplyInput(
        persona=ctx.plan.persona[:1_200],
        language=ctx.language,
        context=blocks.context(ctx.material),
        focus=focus,
        memory="-",
        knowledge="-",
        guidance="-",
        guards="",
        dialogue=dialogue(ctx)[:-1],
        answer="(confidential)",
    )


def _why_not(ctx: TopicContext, found: CollectionStep, text: str) -> str:
    """Why it isn't the consent question or the field that is due; empty if it is."""
    if found.kind is EntryKind.DATA_REQUEST:
        due = next(one for one in ctx.material.fields if one.key == found.question)
        return guards.data_request(text, due.kind, due.label)
    said = plain(text)
    named = all(plain(one.label) in said for one in ctx.material.fields)
    return "" if named and asks(text) else "not the consent question"
