"""Laddering: a talk that builds a graph of what was said, and asks where the graph leads.

The order of a turn, as this file reads; context.py names its stages and what each adds:

1. the opening is the methodology's own question about the topic
2. what is asked back or not understood is no answer (hearing.py); what is left out tells nothing
3. an answer is read twice, side by side: what it says, and how it says it (extracting.py)
4. that grows the graph, and the graph with its signals decides, without a model, by which strategy
   the talk goes on at which node, and whether it goes on (deciding.py); where it surely goes on, it
   chooses as soon as it is known how much the answer gives, over the graph at hand (foreseeing.py),
   and what was just said gets its place once the answer is read (carrying.py)
5. the question is put into words by a model that is told why, guarded, and streamed; a strategy's
   template stands in reserve (asking.py, prompting.py, guards.py)
6. all that the choice rests on is kept with the turn (explaining.py)
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from interviews.engine.courtesy import confirm_stop
from interviews.engine.types import (
    Inquiry,
    Interviewing,
    Move,
    Need,
    Partials,
    Readings,
    TopicCovered,
    Utterance,
)
from interviews.protocols.laddering import asides, asking, extracting, hearing, once
from interviews.protocols.laddering.asking import Words
from interviews.protocols.laddering.context import Chosen, Continued
from interviews.protocols.laddering.deciding import new_edges, new_nodes
from interviews.protocols.laddering.explaining import details
from interviews.protocols.laddering.here import Here, NextMove, put, say, speaks, ways_of
from interviews.protocols.laddering.reaching import reached
from interviews.protocols.laddering.rules import asking as templates
from interviews.protocols.laddering.signals.moment import Talk
from interviews.protocols.laddering.state import LadderingState, Put
from interviews.words import Kind, Status
from plans.content import PlanContent
from plans.content.laddering import LadderingMaterial

CALLS = 7  # of models in one turn: what it is, two readings, a guess, a question, two repairs


class Laddering(Interviewing[LadderingState, LadderingMaterial]):
    """The protocol of the module's docstring."""

    name = "laddering"
    state = LadderingState
    products: tuple[str, ...] = ("summary", "facts", "coverage", "ladders")
    most_calls: int | None = CALLS

    def begin(self, plan: PlanContent[Any], language: str) -> LadderingState:
        """Before the first question: an empty graph."""
        ways, concept = plan.material.methodology, plan.material.concept
        opening = templates.opening(ways, concept.in_language(language), language)
        talk = Talk(limit=plan.material.options.turns)
        return LadderingState(talk=talk, asked=(Put(text=opening),))

    def intro(self, now: Here) -> Utterance:
        """Who speaks, and what about answers."""
        return Utterance(Kind.INTRO, say(now.language, "intro"))

    def step(self, now: Here, readings: Readings) -> Need | NextMove:
        """See the module's docstring."""
        if now.received.trigger == "opening":
            return _put_open(now, asking.opening(now, readings), "opening")
        match hearing.hear(now, readings):
            case "stop":
                return confirm_stop(now)
            case "question":
                return _aside(now, readings)
            case "clarification":
                return _put_open(now, asking.clarified(now, readings), "clarification")
            case "left_out" | "nothing_told" as reason:
                return _go(once.after_nothing(now), readings, reason)
            case "answer":
                return _answered(now, readings)
        return Need((hearing.inquiry(now), *extracting.inquiries(now, readings)))

    def ahead(self, now: Here, readings: Readings, partials: Partials) -> tuple[Inquiry, ...]:
        """The question, while models still read the answer; by rules' guess of how much it gives
        until a model says so, and anew where that is something else."""
        chosen = _foreseen(now, readings, partials, guessing=True)
        return () if chosen is None else (asking.inquiry(chosen),)

    def draft(self, now: Here, readings: Readings, partials: Partials) -> str:
        """What is certain to be said, out of half-written replies."""
        chosen = _foreseen(now, readings, partials)
        if chosen is None:
            return asking.certain(now, partials)
        return asking.certain_at_hand(chosen, readings, partials)

    def exit(self, now: Here, readings: Readings) -> NextMove:
        """The participant ends it."""
        return Move(
            state=now.state,
            utterances=(Utterance(Kind.OUTRO, say(now.language, "stopped")),),
            reason="stopped_by_participant",
            status=Status.STOPPED,
            progress=_progress(now.state),
        )

    def again(self, now: Here) -> Utterance:
        """The open question as it was put last."""
        return put(now.state)

    def standing(self, now: Here) -> Mapping[str, Any]:
        """The strategy and the focus of the open question, and which one it is."""
        state = now.state
        return {"strategy": state.open.strategy, "focus": state.open.focus, "turn": state.talk.turn}

    def covered(self, plan: PlanContent[Any], state: LadderingState) -> tuple[TopicCovered, ...]:
        """How far each element was talked about."""
        return reached(plan.material, state)


# -- what is no answer, and the opening


def _put_open(now: Here, words: Words | Inquiry, reason: str) -> Need | NextMove:
    """The open question: for the first time, or in other words, which takes no turn."""
    if isinstance(words, Inquiry):
        return Need((words,))
    again = reason == "clarification"
    changes = {
        "asked": (*now.state.asked[:-1], words.put),
        "asides": now.state.asides + again,
    }
    state = now.state.model_copy(update=changes)
    return Move(
        state=state,
        utterances=(replace(put(state), text=words.said),),
        reason=reason,
        progress=_progress(state),
        spoken_by=words.used,
        firings=words.firings,
        details={"fallback": words.by_template and bool(words.used or words.firings)},
        heard_as=Kind.CANDIDATE_QUESTION if again else None,
    )


def _aside(now: Here, readings: Readings) -> Need | NextMove:
    """A short answer, then the open question; no turn is used."""
    if asides.KEY not in readings:
        return Need((asides.inquiry(now),))
    text, fired = asides.worded(now, readings)
    return Move(
        state=now.state.model_copy(update={"asides": now.state.asides + 1}),
        utterances=(Utterance(Kind.INTERVIEWER_ANSWER, text), put(now.state)),
        reason="question_back",
        spoken_by=() if fired else (asides.KEY,),
        firings=fired,
        heard_as=Kind.CANDIDATE_QUESTION,
    )


# -- an answer


def _foreseen(
    now: Here, readings: Readings, partials: Partials, guessing: bool = False
) -> Chosen | None:
    """The choice before the answer is read, where there is one by now."""
    if now.received.trigger == "opening" or hearing.hear(now, readings) != "answer":
        return None
    depth = extracting.depth_of(readings, partials)
    if guessing and depth is None and extracting.HEARD not in readings:
        depth = extracting.guessed_depth(now)
    return once.before_reading(now, depth)


def _answered(now: Here, readings: Readings) -> Need | NextMove:
    missing = extracting.inquiries(now, readings)
    if missing:
        return Need(missing)
    return _go(once.after_answer(now, readings), readings, "by_graph")


def _go(context: Continued, readings: Readings, reason: str) -> Need | NextMove:
    """On by the graph: to the next question, or to the end."""
    if context.ends:
        return _moved(context, _end(context))
    words = asking.worded(context, readings)
    if isinstance(words, Inquiry):
        return Need((words,))
    return _moved(context, _ask(context, words, reason))


def _ask(context: Continued, words: Words, reason: str) -> NextMove:
    state = _taken_in(context)
    state = state.model_copy(update={"asked": (*state.asked, words.put)})
    return Move(
        state=state,
        utterances=(replace(put(state), text=words.said),),
        reason=reason,
        progress=_progress(state),
        spoken_by=words.used,
        firings=words.firings,
        details={"fallback": words.by_template, **details(context, words.pair, words.put.focus)},
    )


def _end(context: Continued) -> NextMove:
    """With the methodology's own last words where it has some in this language."""
    now, state, ways = context.now, _taken_in(context), ways_of(context.now)
    own = speaks(ways.closing, now.language)
    text = templates.closing(ways, now.language) if own else say(now.language, "closing")
    return Move(
        state=state,
        utterances=(Utterance(Kind.OUTRO, text),),
        reason=context.ends,
        status=Status.COMPLETED,
        progress=_progress(state),
        details=details(context, None),
    )


def _moved(context: Continued, move: NextMove) -> NextMove:
    """With the rows of what is new in the graph."""
    before, after = context.now.state.graph, context.graph
    return replace(move, nodes=new_nodes(before, after), edges=new_edges(before, after))


def _taken_in(context: Continued) -> LadderingState:
    """The state once the answer is in the graph."""
    changes = {
        "talk": context.talk,
        "graph": context.graph,
        "nodes": dict(context.states),
        "unchanged": context.unchanged,
        "asides": 0,
    }
    return context.now.state.model_copy(update=changes)


def _progress(state: LadderingState) -> tuple[int, int, str]:
    return state.talk.turn, state.talk.limit, "turns"


PROTOCOL = Laddering()
