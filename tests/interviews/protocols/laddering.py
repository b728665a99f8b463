"""A whole laddering interview in the hand: no database, and a model that is a function."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from interviews.engine.courtesy import lead
from interviews.engine.types import GraphEdge, GraphNode, Inquiry, Line, Move, Need, Now, Received
from interviews.protocols.laddering import PROTOCOL
from interviews.protocols.laddering.state import LadderingState, Put
from interviews.protocols.laddering.tasks import Found, Heard, Intent
from interviews.words import Kind, Role
from llm.outcome import Outcome, Source
from plans.content import PlanContent, Texts
from plans.content.laddering import LadderingMaterial, LadderingOptions
from plans.ladders.shipped import concepts, methodologies

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
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


def offline(inquiry: Inquiry) -> Outcome[Any]:
    """No model at all."""
    return Outcome(inquiry.task.fallback(inquiry.data), Source.FALLBACK, "offline")


def found(concepts: str = "", ties: str = "", relation: str = "leads_to") -> Found:
    """What a model finds: “text: type @element; …” and “text > text; …”."""
    texts = [one.strip() for one in concepts.split(";") if one.strip()]
    pairs = [one.split(">") for one in ties.split(";") if one.strip()]
    return Found.model_validate(
        {
            "concepts": [_concept(text) for text in texts],
            "relations": [
                {"source": a.strip(), "target": b.strip(), "relation": relation} for a, b in pairs
            ],
        }
    )


def _concept(text: str) -> dict[str, Any]:
    words, _, rest = text.partition(":")
    kind, _, element = rest.partition("@")
    elements = [element.strip()] if element else []
    return {"text": words.strip(), "type": kind.strip(), "elements": elements}


def heard(depth: str = "moderate", sentiment: str = "neutral", *topics: str) -> Heard:
    """How a model finds the answer."""
    return Heard.model_validate({"depth": depth, "sentiment": sentiment, "topics": list(topics)})


@dataclass
class Model:
    """A model that reads and words what is queued, then finds nothing and asks something new."""

    readings: list[tuple[Found, Heard]] = field(default_factory=list)
    wordings: list[str] = field(default_factory=list)
    intents: list[str] = field(default_factory=list)
    asides: list[str] = field(default_factory=list)
    count: int = 0

    def __call__(self, inquiry: Inquiry) -> Outcome[Any]:
        match inquiry.task.name.rsplit(".", 1)[1]:
            case "extract":
                value: Any = self.readings[0][0] if self.readings else Found()
            case "signals":
                value = self.readings.pop(0)[1] if self.readings else heard("shallow")
            case "question":
                value = self.wordings.pop(0) if self.wordings else self._own(inquiry)
            case "intent":
                value = Intent(kind=self.intents.pop(0) if self.intents else "answer")
            case _:
                value = self.asides.pop(0) if self.asides else "The makers of lamps read it."
        return Outcome(value, Source.MODEL)

    def _own(self, inquiry: Inquiry) -> str:
        """A question that passes the guards, each time about something that nobody has named."""
        self.count += 1
        about = inquiry.data.focus or inquiry.data.topic
        return (
            f"I keep “{about}” in mind. Where does the {THINGS[self.count % len(THINGS)]} come in?"
        )


@dataclass
class Laddering:
    """One interview: what was said, done and asked of the model."""

    made: LadderingMaterial = field(default_factory=material)
    model: Callable[[Inquiry], Outcome[Any]] = offline
    language: str = "en"
    at: datetime = NOON
    lines: list[Line] = field(default_factory=list)
    moves: list[Move[Any]] = field(default_factory=list)
    inquiries: list[list[Inquiry]] = field(default_factory=list)  # by turn
    turns: list[tuple[Now[Any, Any], dict[str, Outcome[Any]]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.plan = plan(self.made)
        self.state: LadderingState = PROTOCOL.begin(self.plan, self.language)
        self._turn("", "opening")

    def say(self, text: str, trigger: Any = "user_answer") -> Move[Any]:
        """One answer and the reply to it."""
        self.at += timedelta(seconds=45)
        return self._turn(text, trigger)

    def all(self, texts: Iterable[str]) -> "Laddering":
        """Several answers, as long as it goes on."""
        for text in texts:
            if self.over:
                break
            self.say(text)
        return self

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return bool(self.moves) and self.moves[-1].status != "WAITING_ANSWER"

    @property
    def said(self) -> str:
        """The last reply."""
        return "\n".join(utterance.text for utterance in self.moves[-1].utterances)

    @property
    def last(self) -> Move[Any]:
        """The last move."""
        return self.moves[-1]

    @property
    def ways(self) -> list[tuple[str, str]]:
        """Strategy and the words of the focus, question by question, after the opening."""
        return [(one.strategy, self.text(one)) for one in self.state.asked[1:]]

    def text(self, put: Put) -> str:
        """The words of a question's focus; an element's id as it is."""
        node = self.state.graph.by_id.get(put.focus)
        return node.text if node else put.focus

    def keys(self, turn: int = -1) -> list[str]:
        """The keys of what was asked of models in a turn."""
        return [inquiry.key for inquiry in self.inquiries[turn]]

    def rows(self) -> tuple[dict[str, GraphNode], dict[tuple[str, str, str], GraphEdge]]:
        """The graph as the moves would have stored it."""
        nodes = {node.id: node for move in self.moves for node in move.nodes}
        edges = {(e.source, e.target, e.relation): e for move in self.moves for e in move.edges}
        return nodes, edges

    def here(self, text: str, trigger: Any = "user_answer") -> Now[Any, Any]:
        """What a turn would depend on."""
        return Now(
            plan=self.plan,
            material=self.made,
            state=self.state,
            received=Received(trigger, text, self.at, position=len(self.lines) + 1),
            language=self.language,
            name="Ann",
            turn=len(self.moves),
            transcript=tuple(self.lines[-120:]),
        )

    def _turn(self, text: str, trigger: Any) -> Move[Any]:
        now = self.here(text, trigger)
        move = self._settled(now)
        if trigger != "opening":
            kind = move.heard_as or (Kind.SKIP if trigger == "skip" else Kind.USER_ANSWER)
            self.lines.append(Line(Role.PARTICIPANT, kind, text))
        self.lines += [Line(Role.INTERVIEWER, u.kind, u.text, u.question) for u in move.utterances]
        stored = move.state.shown(self.at).model_dump_json()
        self.state = PROTOCOL.state.model_validate_json(stored)
        self.moves.append(move)
        return move

    def _settled(self, now: Now[Any, Any]) -> Move[Any]:
        readings: dict[str, Outcome[Any]] = {}
        self.inquiries.append([])
        while isinstance(step := lead(PROTOCOL, now, readings), Need):
            missing = [one for one in step.inquiries if one.key not in readings]
            assert missing, "waits for nothing"
            for inquiry in missing:
                self.inquiries[-1].append(inquiry)
                readings[inquiry.key] = self.model(inquiry)
        self.turns.append((now, readings))
        return step
