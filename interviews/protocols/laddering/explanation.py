"""Why a question is asked: all that its prompt is told, and (stage 10) the trace of the turn."""

from typing import Any

from interviews.choices import EntryKind, SpeakerRole
from interviews.protocols.laddering.context import LadderingContext, concept_of
from interviews.protocols.laddering.extraction import describe_ladder
from interviews.protocols.laddering.graph.measures import climb_to, connected_to
from interviews.protocols.laddering.graph.types import ExtractedConcept, RejectedPart
from interviews.protocols.laddering.signals.base import SIGNALS, Value, Values
from interviews.protocols.laddering.signals.moment import Moment
from interviews.protocols.laddering.stages import SelectionStage
from interviews.protocols.laddering.strategy_choice import Contribution, ScoredPair
from interviews.protocols.laddering.tasks import (
    ActiveSignal,
    LadderingExchange,
    LadderingQuestionInput,
    Manner,
)
from plans.protocols.laddering.schema.methodology import Focus
from plans.text import shorten

MOST_REASONS, MOST_SIGNALS = 6, 4
MOST_SHOWN = 100  # nodes with their exhaustion, refused parts
SHORT = 80  # characters
PREFERENCES: dict[Focus, str] = {
    "any": "",
    "newest": "it came up last",
    "orphan": "it is tied to nothing",
    "current": "the talk is about it",
    "shallow_chain": "its chain is short",
    "uncovered": "nobody has spoken of it",
}


def focus_text(pair: ScoredPair) -> str:
    return pair.about.text if pair.about else ""


def _signal_values(stage: SelectionStage, focus: str) -> Values:
    return {**stage.detected.talk, **stage.detected.nodes.get(focus, {})}


def active_signals(stage: SelectionStage, pair: ScoredPair) -> list[ActiveSignal]:
    """Return the signals that speak for the choice, those of most weight first.

    What spoke against it is left out: it would only argue with the strategy.
    """
    values = _signal_values(stage, pair.focus)
    return [
        ActiveSignal(
            name=one.signal,
            value=_as_text(values[one.signal]),
            meaning=SIGNALS[one.signal].description,
        )
        for one in _weightiest(pair)
        if one.points > 0 and one.signal in values and one.signal in SIGNALS
    ][:MOST_SIGNALS]


def _weightiest(pair: ScoredPair) -> list[Contribution]:
    return sorted((one for one in pair.contributions if one.points), key=lambda o: -abs(o.points))


def reasons(pair: ScoredPair) -> list[str]:
    preference = PREFERENCES[pair.strategy.focus_preference] if pair.bonus else ""
    parts = _weightiest(pair)[:MOST_REASONS]
    texts = [f"{one.signal} is {_as_text(one.value)} ({one.points:+.1f})" for one in parts]
    return [f"{preference} ({pair.bonus:+.1f})", *texts] if preference else texts


def explain(pair: ScoredPair) -> str:
    about = f" at “{shorten(pair.about.text, SHORT)}”" if pair.about else ""
    phase = f"; x {pair.phase_weight:g} in this phase" if pair.phase_weight != 1 else ""
    because = "; ".join(reasons(pair)) or "nothing speaks for anything else"
    return f"{pair.strategy.name}{about}, {pair.score:.2f}: {because}{phase}"


def turn_details(stage: SelectionStage, asked: ScoredPair | None) -> dict[str, Any]:
    """Return what is stored of the turn: signals, scores, the choice, graph, coverage.

    `asked` is the pair that was asked in the end, which need not be the chosen one; None at an end.
    """
    choice, change, moment = stage.choice, stage.change, stage.moment
    chosen = asked or choice.chosen
    exhaustion = {name: round(one.exhaustion_score, 3) for name, one in moment.states.items()}
    return {
        "strategy": chosen.strategy.id if asked else "",
        "focus": chosen.focus if asked else "",
        "why": explain(chosen) if asked else "",
        "chosen": [choice.chosen.strategy.id, choice.chosen.focus],
        "read_by": dict(stage.read_by),
        "depth": stage.reading.depth or "",
        "unchanged": moment.unchanged,
        "graph": {
            "nodes": moment.metrics.node_count,
            "edges": moment.metrics.edge_count,
            "added": list(change.added),
            "merged": list(change.merged),
            "tied": [list(edge.key) for edge in change.tied],
            "contradicted": [list(pair) for pair in change.contradicted],
            "refused": [_refused(one) for one in change.refused[:MOST_SHOWN]],
            "left_out": stage.left_out,
        },
        **({"validation": stage.validation.model_dump()} if stage.validation else {}),
        "coverage": {one.element: round(one.depth_score, 3) for one in moment.metrics.coverage},
        "exhausted": [name for name, one in moment.states.items() if one.exhausted],
        "exhaustion": dict(sorted(exhaustion.items(), key=lambda one: -one[1])[:MOST_SHOWN]),
        "signals": {
            name: value if isinstance(value, str) else round(value, 3)
            for name, value in _signal_values(stage, chosen.focus).items()
        },
        "table": [_row(pair) for pair in choice.table],
        "considered": choice.considered,
    }


def _refused(part: RejectedPart) -> dict[str, str]:
    what = part.what
    if isinstance(what, ExtractedConcept):
        return {"what": what.text, "as": what.type, "why": part.why, "part": "concept"}
    tie = f"{what.source} → {what.target}"
    return {"what": tie, "as": what.relation, "why": part.why, "part": "relation"}


def _row(pair: ScoredPair) -> dict[str, Any]:
    return {
        "strategy": pair.strategy.id,
        "focus": pair.focus,
        "score": round(pair.score, 3),
        "phase": pair.phase_weight,
        "bonus": pair.bonus,
        "because": {_condition(p): round(p.points, 3) for p in pair.contributions if p.points},
    }


def _condition(part: Contribution) -> str:
    return f"{part.signal}={part.value}" if isinstance(part.value, str) else part.signal


def _as_text(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:.3g}"


MOST_HISTORY, MOST_ASKED, MOST_TIED = 5, 12, 8
LONG = 800  # characters of one answer
LEFT_OUT = "(left out)"


def about_pair(stage: SelectionStage, pair: ScoredPair) -> LadderingQuestionInput:
    moment = stage.moment
    return _input(
        stage.ctx,
        manner_of(stage),
        strategy=pair.strategy.name,
        description=pair.strategy.description,
        signals=active_signals(stage, pair),
        reasons=reasons(pair),
        focus=focus_text(pair),
        focus_is=_focus_kind(moment, pair),
        contrary=_contrary(moment, pair),
        chain=_chain(moment, pair.focus),
        tied=_ties(moment, pair.focus),
        others=_others(moment, pair.focus),
        answer="" if stage.nothing and not stage.gentle else shorten(stage.ctx.answer, LONG),
    )


def manner_of(stage: SelectionStage) -> Manner:
    return "gentle" if stage.gentle else "skipped" if stage.nothing else "onward"


def about_opening(ctx: LadderingContext) -> LadderingQuestionInput:
    return _input(ctx, "opening", strategy="Opening", focus_is="the topic as a whole")


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


def _focus_kind(moment: Moment, pair: ScoredPair) -> str:
    if pair.about is None:
        return "nothing in particular, the topic as a whole"
    if pair.about.uncovered:
        return "a part of the topic that was not spoken of yet"
    return moment.methodology.ladder[pair.about.rung].name


def _contrary(moment: Moment, pair: ScoredPair) -> str:
    denied = moment.graph.by_id.get(pair.about.state.contradicted) if pair.about else None
    return denied.text if denied else ""


def _chain(moment: Moment, focus: str) -> list[str]:
    """Return how the person came to the focus, rung by rung; empty for a chain of one."""
    if focus not in moment.graph.by_id:
        return []
    whole = moment.metrics.complete.get(focus)
    climb = whole or climb_to(moment.graph, moment.methodology, focus)
    if len(climb) == 1 or any(moment.states[name].closed for name in climb):
        return []
    return [f"{moment.graph.by_id[name].text} ({moment.graph.by_id[name].type})" for name in climb]


def _others(moment: Moment, focus: str) -> list[str]:
    """Return what was said last and isn't tied to the focus."""
    tied = connected_to(moment.graph, focus)
    nodes = (n for n in moment.graph.nodes if n.id not in tied and not moment.states[n.id].closed)
    return [node.text for node in nodes][-MOST_TIED:]


def _ties(moment: Moment, focus: str) -> list[str]:
    graph, states = moment.graph, moment.states
    text = {node.id: node.text for node in graph.nodes if not states[node.id].closed}
    ties = (
        edge
        for edge in graph.edges
        if focus in (edge.source, edge.target) and {edge.source, edge.target} <= text.keys()
    )
    return [f"{text[e.source]} → {e.relation} → {text[e.target]}" for e in ties][-MOST_TIED:]
