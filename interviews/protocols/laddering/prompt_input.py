"""What the prompt of a question is told: how the interview stands, how to continue, and why."""

from typing import Any

from interviews.choices import EntryKind, SpeakerRole
from interviews.protocols.laddering.context import (
    LadderingContext,
    concept_of,
    find_element,
    find_strategy,
    shorten,
)
from interviews.protocols.laddering.explanation import active_signals, focus_text, reasons
from interviews.protocols.laddering.extraction import describe_ladder
from interviews.protocols.laddering.graph.chains import climb_to, connected_to
from interviews.protocols.laddering.stages import SelectionStage
from interviews.protocols.laddering.strategy_choice.choice import ScoredPair
from interviews.protocols.laddering.tasks import LadderingExchange, LadderingQuestionInput, Manner

MOST_HISTORY, MOST_ASKED, MOST_TIED = 5, 12, 8
LONG = 800  # characters of one answer
LEFT_OUT = "(left out)"


def about_pair(stage: SelectionStage, pair: ScoredPair) -> LadderingQuestionInput:
    ctx = stage.ctx
    return _input(
        ctx,
        manner_of(stage),
        **_strategy(ctx, pair.strategy),
        signals=active_signals(stage, pair),
        reasons=reasons(stage, pair),
        focus=focus_text(stage, pair.candidate),
        focus_is=_focus_kind(stage, pair.candidate),
        contrary=_contrary(stage, pair.candidate),
        chain=_chain(stage, pair.candidate),
        tied=_ties(stage, pair.candidate),
        others=_others(stage, pair.candidate),
        answer="" if stage.nothing and not stage.gentle else shorten(ctx.answer, LONG),
    )


def manner_of(stage: SelectionStage) -> Manner:
    return "gentle" if stage.gentle else "skipped" if stage.nothing else "onward"


def about_opening(ctx: LadderingContext) -> LadderingQuestionInput:
    return _input(ctx, "opening", strategy="Opening", focus_is="the topic as a whole")


def _strategy(ctx: LadderingContext, name: str) -> dict[str, str]:
    found = find_strategy(ctx.material.methodology, name)
    if found is None:
        return {"strategy": ""}
    return {"strategy": found.name, "description": found.description}


def _input(ctx: LadderingContext, manner: Manner, **own: Any) -> LadderingQuestionInput:
    methodology, context = ctx.material.methodology, concept_of(ctx).context
    opening = manner == "opening"
    research = (context.insight, context.promise, context.reason_to_believe)
    return LadderingQuestionInput(
        persona=ctx.plan.persona,
        language=ctx.language,
        name=ctx.name if opening else "",
        method=methodology.name,
        goal=methodology.goal,
        ladder=describe_ladder(methodology),
        topic=context.topic,
        research=[one for one in research if one],
        history=_history(ctx),
        asked=[] if opening else [one.text for one in ctx.state.asked[-MOST_ASKED:]],
        closed=list(ctx.state.closed),
        manner=manner,
        **own,
    )


def _history(ctx: LadderingContext) -> list[LadderingExchange]:
    exchanges, question = [], ""
    for line in ctx.transcript:
        if line.role == SpeakerRole.INTERVIEWER and line.kind == EntryKind.QUESTION:
            question = line.text
        elif line.kind in (EntryKind.USER_ANSWER, EntryKind.SKIP) and question:
            answer = shorten(line.text, LONG) or LEFT_OUT
            exchanges.append(LadderingExchange(question=question, answer=answer))
    return exchanges[-MOST_HISTORY:]


def _focus_kind(stage: SelectionStage, focus: str) -> str:
    node = stage.moment.graph.by_id.get(focus)
    if node is not None:
        return next(one.name for one in stage.moment.methodology.ladder if one.id == node.type)
    if find_element(stage.moment.concept, focus):
        return "a part of the topic that was not spoken of yet"
    return "nothing in particular, the topic as a whole"


def _contrary(stage: SelectionStage, focus: str) -> str:
    state = stage.moment.states.get(focus)
    denied = stage.moment.graph.by_id.get(state.contradicted) if state else None
    return denied.text if denied else ""


def _chain(stage: SelectionStage, focus: str) -> list[str]:
    """Return how the person came to the focus, rung by rung; empty for a chain of one."""
    moment = stage.moment
    if focus not in moment.graph.by_id:
        return []
    whole = moment.metrics.complete.get(focus)
    climb = whole or climb_to(moment.graph, moment.methodology, focus)
    if len(climb) == 1 or any(moment.states[name].closed for name in climb):
        return []
    return [f"{moment.graph.by_id[name].text} ({moment.graph.by_id[name].type})" for name in climb]


def _others(stage: SelectionStage, focus: str) -> list[str]:
    """Return what was said last and isn't tied to the focus."""
    moment = stage.moment
    tied = connected_to(moment.graph, focus)
    nodes = (n for n in moment.graph.nodes if n.id not in tied and not moment.states[n.id].closed)
    return [node.text for node in nodes][-MOST_TIED:]


def _ties(stage: SelectionStage, focus: str) -> list[str]:
    graph, states = stage.moment.graph, stage.moment.states
    text = {node.id: node.text for node in graph.nodes if not states[node.id].closed}
    ties = (
        edge
        for edge in graph.edges
        if focus in (edge.source, edge.target) and {edge.source, edge.target} <= text.keys()
    )
    return [f"{text[e.source]} → {e.relation} → {text[e.target]}" for e in ties][-MOST_TIED:]
