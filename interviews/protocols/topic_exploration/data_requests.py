"""Data requests in languages without fixed texts: worded by the model, then guarded.

Other languages use the fixed texts as they are: consent is no place for variety.
"""

from functools import partial

from interviews.choices import EntryKind
from interviews.engine.language.sentences import asks
from interviews.engine.language.wishes import plain
from interviews.protocols.topic_exploration import blocks, guards, tasks
from interviews.protocols.topic_exploration.aim import recent_dialogue
from interviews.protocols.topic_exploration.context import TopicContext
from interviews.protocols.topic_exploration.data_collection import CollectionStep
from interviews.protocols.topic_exploration.utterance import UtteranceRequest


def data_request(ctx: TopicContext, step: CollectionStep) -> UtteranceRequest:
    return UtteranceRequest(
        data=partial(_reply_input, ctx, step),
        guards=[("data_collection", partial(_rejection, ctx, step))],
        fallback=lambda: step.text,
    )


def _reply_input(
    ctx: TopicContext, step: CollectionStep, rejected_because: str
) -> tasks.ReplyInput:
    focus = f"Say exactly this in {ctx.language}, leave nothing out, add nothing: {step.text}"
    if rejected_because:
        focus += f"\nA first wording could not be used ({rejected_because})."
    return tasks.ReplyInput(
        persona=ctx.plan.persona[:1_200],
        language=ctx.language,
        context=blocks.context(ctx.material),
        focus=focus,
        memory="-",
        knowledge="-",
        guidance="-",
        guards="",
        dialogue=recent_dialogue(ctx)[:-1],
        answer="(confidential)",
    )


def _rejection(ctx: TopicContext, step: CollectionStep, text: str) -> str:
    if step.kind is EntryKind.DATA_REQUEST:
        field = next(field for field in ctx.material.fields if field.key == step.question)
        return guards.data_request(text, field.kind, field.label)
    said = plain(text)
    names_all = all(plain(field.label) in said for field in ctx.material.fields)
    return "" if names_all and asks(text) else "not the consent question"
