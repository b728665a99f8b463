"""Ladderings in the hand: what comes with the site, and a model that is a function."""

from dataclasses import dataclass, field
from typing import Any

from interviews.engine.result import TaskCall
from interviews.protocols.laddering.graph.types import GraphEdge, GraphNode
from interviews.protocols.laddering.protocol import PROTOCOL
from interviews.protocols.laddering.state import LadderingState, PutQuestion
from interviews.protocols.laddering.tasks import AnswerSignalsResult, ExtractedLines
from llm.tasks.outcome import Outcome, Source
from plans.protocols import PlanContent, Texts
from plans.protocols.laddering.content import LadderingMaterial, LadderingOptions
from tests.interviews.protocols.leading import Leading
from tests.ladder_files import concepts, methodologies
from tests.readings import as_heard

RICH = (
    "I like the warm light because it rests my eyes, so that I can read for longer, and that "
    "makes me feel calm before I sleep."
)
FAIR = "The price matters to me as well, I would say, since money is short."
NOTHING = "I don't know."
THINGS = (
    "sofa",
    "window",
    "kettle",
    "neighbour",
    "staircase",
    "garden",
    "tram",
    "pillow",
    "radio",
    "garage",
    "biscuit",
    "umbrella",
    "newspaper",
    "carpet",
    "bakery",
    "violin",
    "bicycle",
    "harbour",
    "mirror",
    "ladder",
)


def material(
    methodology: str = "means_end_chain", concept: str = "reading_lamp", **options: Any
) -> LadderingMaterial:
    """What comes with the site."""
    return LadderingMaterial(
        concept=concepts()[concept],
        methodology=methodologies()[methodology],
        options=LadderingOptions(**({"languages": ("en", "it", "ru")} | options)),
    )


def plan(made: LadderingMaterial) -> PlanContent[Any]:
    """A plan around it."""
    return PlanContent[LadderingMaterial](
        protocol="laddering",
        bot="lamps",
        title="Lamps",
        persona="A calm listener who keeps the word zephyrine strictly to themselves all day.",
        languages=made.options.languages,
        minutes=30,
        texts={"en": Texts(about="People who make lamps read your answers.")},
        material=made,
    )


def found(concepts: str = "", ties: str = "", **read: str) -> ExtractedLines:
    """What a model finds: “text: type @element; …” and “text > text; …”; `read` is the intent."""
    texts = [one.strip() for one in concepts.split(";") if one.strip()]
    pairs = [one.split(">") for one in ties.split(";") if one.strip()]
    return ExtractedLines(
        concepts=[_concept(text) for text in texts],
        relations=[f"{a} | {b}" for a, b in pairs],
        **as_heard(read),
    )


def _concept(text: str) -> str:
    words, _, rest = text.partition(":")
    kind, _, element = rest.partition("@")
    return f"{words.strip()} | {kind.strip()} | {element.strip()}"


def no_answer(intent: str = "answer", **read: str) -> tuple[ExtractedLines, AnswerSignalsResult]:
    """How a model reads what tells nothing."""
    return found(intent=intent, **read), heard("shallow")


def heard(depth: str = "moderate", sentiment: str = "neutral", *topics: str) -> AnswerSignalsResult:
    """How a model finds the answer."""
    return AnswerSignalsResult.model_validate(
        {"depth": depth, "sentiment": sentiment, "topics": list(topics)}
    )


@dataclass
class Model:
    """A model that reads and words what is queued, then finds nothing and asks something new."""

    readings: list[tuple[ExtractedLines, AnswerSignalsResult]] = field(default_factory=list)
    wordings: list[str] = field(default_factory=list)
    count: int = 0

    def __call__(self, inquiry: TaskCall) -> Outcome[Any]:
        match inquiry.task.name.rsplit(".", 1)[1]:
            case "extract":
                value: Any = self.readings[0][0] if self.readings else ExtractedLines()
            case "signals":
                value = self.readings.pop(0)[1] if self.readings else heard("shallow")
            case "question":
                value = self.wordings.pop(0) if self.wordings else self._own(inquiry)
            case "clarification":
                value = "Take last night: what was it like to read in warm light?"
            case _:
                value = "The makers of lamps read it."
        return Outcome(value, Source.MODEL)

    def _own(self, inquiry: TaskCall) -> str:
        """A question that passes the guards, each time about something that nobody has named."""
        self.count += 1
        about = inquiry.data.focus or inquiry.data.topic
        if inquiry.data.manner == "gentle":
            return f"That is much to carry, number {self.count}. And how is “{about}” for you?"
        return (
            f"I keep “{about}” in mind. Where does the {THINGS[self.count % len(THINGS)]} come in?"
        )


@dataclass
class Laddering(Leading[LadderingState, LadderingMaterial]):
    """One interview."""

    protocol = PROTOCOL
    made: LadderingMaterial = field(default_factory=material)

    def planned(self) -> PlanContent[Any]:
        """The plan around the material."""
        return plan(self.made)

    @property
    def ways(self) -> list[tuple[str, str]]:
        """Strategy and the words of the focus, question by question, after the opening."""
        return [(one.strategy, self.text(one)) for one in self.state.asked[1:]]

    def text(self, put: PutQuestion) -> str:
        """The words of a question's focus; an element's id as it is."""
        node = self.state.graph.by_id.get(put.focus)
        return node.text if node else put.focus

    def rows(self) -> tuple[dict[str, GraphNode], dict[tuple[str, str, str], GraphEdge]]:
        """The graph as the moves would have stored it."""
        made = [one for move in self.moves for one in move.records]
        nodes = {one.id: one for one in made if isinstance(one, GraphNode)}
        return nodes, {one.key: one for one in made if isinstance(one, GraphEdge)}
