"""Whole talks without a model: each answer is read by rules, and the graph says what to ask."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from interviews.protocols.laddering import question as questions
from interviews.protocols.laddering.graph.measures import Metrics, measure
from interviews.protocols.laddering.graph.states import LastQuestion, States, states_after
from interviews.protocols.laddering.graph.types import Graph
from interviews.protocols.laddering.graph.update import update_graph
from interviews.protocols.laddering.rules.extraction import Question, extract, read
from interviews.protocols.laddering.signals.base import detect
from interviews.protocols.laddering.signals.moment import ELEMENT, Moment, Talk
from interviews.protocols.laddering.strategy_choice import StrategyChoice, choose
from plans.protocols.laddering.schema.concept import Concept
from plans.protocols.laddering.schema.methodology import Methodology, Mode, Strategy

Answering = Callable[[str], str]  # question -> answer


def question(
    strategy: Strategy, focus: str, concept: Concept, language: str, asked: Sequence[str] = ()
) -> str:
    """The strategy's next question about a focus."""
    return questions.fill(questions.least_used(strategy, language, asked), focus, concept)


@dataclass
class Told:
    """A talk as far as it has come."""

    ways: Methodology
    concept: Concept
    language: str = "en"
    mode: Mode = "coverage"
    graph: Graph = field(default_factory=Graph)
    states: States = field(default_factory=dict)
    talk: Talk = field(default_factory=lambda: Talk(limit=20))
    questions: list[str] = field(default_factory=list)
    choices: list[StrategyChoice] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.questions.append(questions.opening_text(self.ways, self.concept, self.language))

    @property
    def metrics(self) -> Metrics:
        return measure(self.graph, self.concept, self.ways)

    def answer(self, answer: str) -> str:
        """Takes in one answer; the next question."""
        turn = self.talk.turn + 1
        found = extract(answer, self._asked(), self.ways, self.concept, self.language)
        self.graph, change = update_graph(
            self.graph, found, turn, turn * 2, self.ways, self.concept
        )
        reading = read(answer, self.concept, self.language)
        chosen = self.choices[-1].chosen if self.choices else None
        asked = LastQuestion(chosen.focus, chosen.strategy.id, reading.depth) if chosen else None
        self.states = states_after(self.states, self.graph, change, turn, asked)
        self.talk = self.talk.asked(*((chosen.strategy.id, chosen.focus) if chosen else ("", "")))
        moment = Moment(
            self.graph, self.metrics, self.states, self.talk, self.ways, self.concept, reading
        )
        self.choices.append(choose(moment, detect(moment), self.mode))
        self.questions.append(self._next())
        return self.questions[-1]

    def talk_with(self, answering: Answering, turns: int) -> "Told":
        """So many answers."""
        for _ in range(turns):
            self.answer(answering(self.questions[-1]))
        return self

    def _next(self) -> str:
        focus = self._asked().text
        return question(self._strategy(), focus, self.concept, self.language, self.questions)

    def _strategy(self) -> Strategy:
        return self.choices[-1].chosen.strategy

    def _asked(self) -> Question:
        """What the last question was about."""
        if not self.choices:
            return Question("open")
        name, technique = self.choices[-1].chosen.focus, self._strategy().technique
        if name.startswith(ELEMENT):
            element = name.removeprefix(ELEMENT)
            label = next(one.label for one in self.concept.elements if one.id == element)
            return Question(technique, label, "", (element,))
        node = self.graph.by_id.get(name)
        return (
            Question(technique, node.text, node.type, node.elements)
            if node
            else Question(technique)
        )
