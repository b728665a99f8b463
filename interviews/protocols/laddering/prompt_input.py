"""What the prompt of a question is told: how the talk stands, how to go on, and why."""

from typing import Any

from interviews.choices import EntryKind, SpeakerRole
from interviews.protocols.laddering.context import (
    LadderingContext,
    answered,
    concept_of,
    element_of,
    shortened,
    strategy_of,
    ways_of,
)
from interviews.protocols.laddering.explanation import active, focus_text, reasons
from interviews.protocols.laddering.extraction import rungs
from interviews.protocols.laddering.graph.types import Graph
from interviews.protocols.laddering.signals.moment import JUST_SAID
from interviews.protocols.laddering.stages import SelectionStage
from interviews.protocols.laddering.strategy_choice.choice import ScoredPair
from interviews.protocols.laddering.tasks import LadderingExchange, LadderingQuestionInput, Manner

MOST_HISTORY, MOST_ASKED, MOST_TIED = 5, 12, 8
LONG = 800  # characters of one answer
LEFT_OUT = "(left out)"


def about_pair(context: SelectionStage, pair: ScoredPair) -> LadderingQuestionInput:
    """A question by a strategy about a focus, with all that speaks for it."""
    ctx, ways = context.ctx, ways_of(context.ctx)
    strategy = strategy_of(ways, pair.strategy)
    manner: Manner = "skipped" if context.nothing else "onward"
    return _input(
        ctx,
        manner,
        signals=active(context, pair),
        reasons=reasons(context, pair),
        strategy=strategy.name if strategy else "",
        description=strategy.description if strategy else "",
        focus=focus_text(context, pair.candidate),
        focus_is=_is(context, pair.candidate),
        tied=_tied(context.moment.graph, pair.candidate),
        answer="" if context.nothing else shortened(ctx.answer, LONG),
    )


def about_opening(ctx: LadderingContext) -> LadderingQuestionInput:
    """The first question, about the topic as a whole."""
    return _input(ctx, "opening", strategy="Opening", focus_is="the topic as a whole")


def about_open(ctx: LadderingContext) -> LadderingQuestionInput:
    """The open question once more."""
    about, strategy = answered(ctx), strategy_of(ways_of(ctx), ctx.state.open.strategy)
    return _input(
        ctx,
        "clarify",
        strategy=strategy.name if strategy else "Opening",
        description=strategy.description if strategy else "",
        focus=about.text,
        focus_is="as before",
        answer=ctx.answer,
    )


def _input(ctx: LadderingContext, manner: Manner, **own: Any) -> LadderingQuestionInput:
    """What every question is told, and what this one is."""
    ways, context = ways_of(ctx), concept_of(ctx).context
    research = (context.insight, context.promise, context.reason_to_believe)
    nothing: dict[str, Any] = dict.fromkeys(("description", "focus", "answer"), "")
    nothing |= {"signals": [], "reasons": [], "tied": []}
    common = {
        "persona": ctx.plan.persona,
        "language": ctx.language,
        "name": ctx.name if manner == "opening" else "",
        "method": ways.name,
        "goal": ways.goal,
        "ladder": rungs(ways),
        "topic": context.topic,
        "research": [one for one in research if one],
        "history": _history(ctx),
        "asked": [] if manner == "opening" else _asked(ctx),
        "manner": manner,
    }
    return LadderingQuestionInput(**(nothing | common | own))


def _asked(ctx: LadderingContext) -> list[str]:
    return [one.text for one in ctx.state.asked[-MOST_ASKED:]]


def _history(ctx: LadderingContext) -> list[LadderingExchange]:
    """The exchanges before the open question, oldest first."""
    told, question = [], ""
    for line in ctx.transcript:
        if line.role == SpeakerRole.INTERVIEWER and line.kind == EntryKind.QUESTION:
            question = line.text
        elif line.kind in (EntryKind.USER_ANSWER, EntryKind.SKIP) and question:
            answer = shortened(line.text, LONG) or LEFT_OUT
            told.append(LadderingExchange(question=question, answer=answer))
    return told[-MOST_HISTORY:]


def _is(context: SelectionStage, focus: str) -> str:
    """What a focus is: a rung's name, a part that nobody spoke of, or nothing in particular."""
    if focus == JUST_SAID:
        return "what was just said; take up what of it fits"
    node = context.moment.graph.by_id.get(focus)
    if node is not None:
        return next(one.name for one in ways_of(context.ctx).ladder if one.id == node.type)
    if element_of(concept_of(context.ctx), focus):
        return "a part of the topic that was not spoken of yet"
    return "nothing in particular, the topic as a whole"


def _tied(graph: Graph, focus: str) -> list[str]:
    """The nodes next to it, each with the way in which they are tied."""
    text = {node.id: node.text for node in graph.nodes}
    ties = (edge for edge in graph.edges if focus in (edge.source, edge.target))
    said = [f"{text[one.source]} → {one.relation} → {text[one.target]}" for one in ties]
    return said[-MOST_TIED:]
