"""Laddering's choice and its whole turn, over graphs far larger than an interview makes."""

import random
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from interviews.protocols.laddering.graph.measures import measure
from interviews.protocols.laddering.graph.states import LastQuestion, States, states_after
from interviews.protocols.laddering.graph.types import (
    Change,
    ExtractedConcept,
    ExtractedRelation,
    Graph,
    GraphEdge,
    GraphExtraction,
    GraphNode,
)
from interviews.protocols.laddering.graph.update import update_graph
from interviews.protocols.laddering.signals.base import detect, weighable
from interviews.protocols.laddering.signals.moment import AnswerSignals, Moment, Talk
from interviews.protocols.laddering.strategy_choice import choose, choose_among, rows_of, weights_of
from plans.protocols.laddering.schema.methodology import Methodology
from tests.bench.figures import Figure, median
from tests.ladder_files import concepts, methodologies

NODES, STRATEGIES = 500, 12
REPEATS = 15
CONCEPT = "bicycle_repair"
WORDS = ("quiet", "room", "price", "evening", "water", "light", "garden", "order", "talk", "window")
DEEP = AnswerSignals("deep", "positive", ("slot",))


def choosing() -> list[Figure]:
    """How long a choice among all pairs takes, and a long talk beside a short one."""
    ways = _twelve(methodologies()["means_end_chain"])
    made = _moment(ways, _grown_over(ways, turns=20))
    found = detect(made)
    own = {name: weighable(values, made) for name, values in found.nodes.items()}
    rows = rows_of(made.candidates, own, weighable(found.talk, made))
    short, long = (_turns(ways, _grown_over(ways, turns)) for turns in (10, 100))
    return [
        Figure(
            f"laddering: {NODES} nodes x {STRATEGIES} strategies, scored and chosen",
            _milliseconds(lambda: choose_among(rows, weights_of(ways), {"s0": 1.2})),
            "ms",
            "≤ 10",
        ),
        Figure(
            f"laddering: signals of {NODES} nodes",
            _milliseconds(lambda: detect(_fresh(made))),
            "ms",
        ),
        Figure(
            f"laddering: a whole turn over {NODES} nodes, without models",
            _milliseconds(short),
            "ms",
        ),
        Figure("laddering: turn 100 ÷ turn 10 at the same size", _ratio(long, short), "x", "≤ 1.2"),
    ]


def _twelve(ways: Methodology) -> Methodology:
    """The methodology with twelve strategies, its own over and over."""
    own = ways.strategies
    some = tuple(own[i % len(own)].model_copy(update={"id": f"s{i}"}) for i in range(STRATEGIES))
    return ways.model_copy(update={"strategies": some})


def _graph(ways: Methodology) -> Graph:
    """A graph with chains of four, some side branches, and one node in five alone."""
    rng = random.Random(7)
    nodes = tuple(
        GraphNode(
            id=f"n{i + 1}",
            text=" ".join(rng.sample(WORDS, 3)) + f" number{i}",
            type=ways.types[i % len(ways.types)],
            positions=(i,),
            created=i // 10 + 1,
            elements=("slot",) if i % 3 else (),
        )
        for i in range(NODES)
    )
    tied = [(a, b) for a, b in pairwise(nodes) if ways.allows("leads_to", a.type, b.type)]
    kept = [pair for i, pair in enumerate(tied) if i % 5]
    return Graph(nodes, tuple(GraphEdge(a.id, b.id, "leads_to", (1,)) for a, b in kept))


def _grown_over(ways: Methodology, turns: int) -> tuple[Graph, States, Talk]:
    """The same graph after a talk of so many turns that went around in it."""
    made, states, talk = _graph(ways), {}, Talk(limit=200)
    rng = random.Random(turns)
    for turn in range(1, turns + 1):
        asked = LastQuestion(f"n{rng.randint(1, NODES)}", f"s{turn % STRATEGIES}", "moderate")
        change = Change(tied=(rng.choice(made.edges),))
        states = states_after(states, made, change, turn, asked)
        talk = talk.asked(asked.strategy, asked.focus)
    return made, states, talk


def _moment(ways: Methodology, parts: tuple[Graph, States, Talk]) -> Moment:
    made, states, talk = parts
    concept = concepts()[CONCEPT]
    return Moment(made, measure(made, concept, ways), states, talk, ways, concept, DEEP)


def _fresh(made: Moment) -> Moment:
    """The same moment, of which nothing has been looked at yet."""
    return replace(made, graph=Graph(made.graph.nodes, made.graph.edges))


def _turns(ways: Methodology, parts: tuple[Graph, States, Talk]) -> Callable[[], object]:
    """One turn from an answer to the next choice; each begins at the same place."""
    said = GraphExtraction(
        (ExtractedConcept("room for a quiet talk", ways.types[1]),),
        (ExtractedRelation(parts[0].nodes[0].text, "room for a quiet talk", "leads_to"),),
    )

    def turn() -> object:
        graph, states, talk = Graph(parts[0].nodes, parts[0].edges), parts[1], parts[2]
        after, change = update_graph(graph, said, talk.turn + 1, 999, ways, concepts()[CONCEPT])
        asked = LastQuestion("n1", "s1", "deep")
        states = states_after(states, after, change, talk.turn + 1, asked)
        made = _moment(ways, (after, states, talk.asked("s1", "n1")))
        return choose(made, detect(made), "coverage")

    return turn


def _milliseconds(work: Callable[[], object]) -> float:
    return median([_seconds(work) for _ in range(REPEATS)]) * 1_000


def _ratio(long: Callable[[], object], short: Callable[[], object]) -> float:
    """By turns, so that a busy machine slows both."""
    pairs = [(_seconds(long), _seconds(short)) for _ in range(REPEATS)]
    return median([a for a, _ in pairs]) / median([b for _, b in pairs])


def _seconds(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before
