"""A whole topic exploration in the hand: no database, and a model that is a function."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from interviews.engine.courtesy import lead
from interviews.engine.types import Inquiry, Line, Move, Need, Now, Received
from interviews.protocols.topic_exploration.protocol import PROTOCOL
from interviews.words import Kind, Role
from llm.outcome import Outcome, Source
from plans.content import PlanContent, Texts
from plans.content.topic_exploration import (
    FieldMaterial,
    TopicExplorationMaterial,
    TopicExplorationOptions,
    TopicIntelligence,
    TopicMaterial,
    base_turns,
)

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
TOPICS = {
    "choosing": ("choosing a kettle", ("what set it off", "who had a say", "what was compared")),
    "using": ("using it day by day", ("an ordinary morning", "what annoys", "who else uses it")),
    "caring": ("looking after it", ("how it is cleaned", "what has broken", "repairs so far")),
    "future": ("what comes next", ("when to replace it", "what a better one would do")),
}
HIGH = (
    "In 2019 the old kettle from Moulinex broke, which was a real problem for the five of us, and "
    "I was so angry that I went to three shops in Leeds the same day to compare what they had."
)
MEDIUM = (
    "We mostly use it in the morning, and then again when somebody visits us in the afternoon, "
)
MEDIUM += "since there is always tea when people come by, at least in this house of ours anyway."
LOW = "not really"


def material(
    minutes: int = 15, fields: int = 2, topics: int = 4, angles: int = 2, **options: Any
) -> TopicExplorationMaterial:
    """The first so many topics, so many fields."""
    base = base_turns(minutes * 60, topics)
    chosen = list(TOPICS.items())[:topics]
    kinds = [("email", "email", "e-mail address"), ("company", "company", "company")]
    return TopicExplorationMaterial(
        signature="x",
        max_minutes=minutes,
        total_seconds=minutes * 60,
        topics=tuple(
            TopicMaterial(
                key=key,
                label=label,
                order=i,
                sub_goals=goals,
                min_turns=1,
                base_turns=base,
                max_turns=base + 2,
                intelligence=TopicIntelligence(
                    probe_angles=tuple(f"the {n} side of {label}" for n in ("bright", "dark"))[
                        :angles
                    ]
                ),
            )
            for i, (key, (label, goals)) in enumerate(chosen, start=1)
        ),
        fields=tuple(FieldMaterial(key=k, kind=d, label=n) for k, d, n in kinds[:fields]),
        options=TopicExplorationOptions(
            goal="how people live with a kettle", data_purpose="To send you the results", **options
        ),
    )


def plan(made: TopicExplorationMaterial) -> PlanContent[Any]:
    """A plan around it."""
    return PlanContent[TopicExplorationMaterial](
        protocol="topic_exploration",
        bot="kettles",
        title="Kettles",
        persona="A curious, calm researcher who keeps the word zephyrine strictly to themselves.",
        languages=("en", "it", "ru"),
        minutes=made.max_minutes,
        texts={"en": Texts(summary="This is about kettles.")},
        material=made,
    )


def offline(inquiry: Inquiry) -> Outcome[Any]:
    """No model at all."""
    return Outcome(inquiry.task.fallback(inquiry.data), Source.FALLBACK, "offline")


@dataclass
class Exploring:
    """One interview: what was said, done and asked of the model."""

    made: TopicExplorationMaterial
    model: Callable[[Inquiry], Outcome[Any]] = offline
    language: str = "en"
    seconds: float = 45.0  # between question and answer
    at: datetime = NOON
    lines: list[Line] = field(default_factory=list)
    moves: list[Move[Any]] = field(default_factory=list)
    asked: list[list[Inquiry]] = field(default_factory=list)  # by turn
    values: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.plan = plan(self.made)
        self.state = PROTOCOL.begin(self.plan, self.language)
        self._turn("", "opening")

    def say(self, text: str, trigger: Any = "user_answer") -> Move[Any]:
        """One answer and the reply to it."""
        self.at += timedelta(seconds=self.seconds)
        return self._turn(text, trigger)

    def all(self, texts: Iterable[str]) -> "Exploring":
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
    def phases(self) -> list[str]:
        """The phase after each turn."""
        return [move.details.get("phase", "") for move in self.moves]

    def _turn(self, text: str, trigger: Any) -> Move[Any]:
        now = Now(
            plan=self.plan,
            material=self.made,
            state=self.state,
            received=Received(trigger, text, self.at, position=len(self.lines) + 1),
            language=self.language,
            turn=len(self.moves),
            transcript=tuple(self.lines[-120:]),
        )
        move = self._settled(now)
        if text:
            shown = move.masked if move.masked is not None else text
            self.lines.append(Line(Role.PARTICIPANT, Kind.USER_ANSWER, shown))
        self.lines += [Line(Role.INTERVIEWER, u.kind, u.text, u.question) for u in move.utterances]
        self.state = move.state.shown(self.at)
        self.values |= move.collected
        self.moves.append(move)
        return move

    def _settled(self, now: Now[Any, Any]) -> Move[Any]:
        readings: dict[str, Outcome[Any]] = {}
        self.asked.append([])
        while isinstance(step := lead(PROTOCOL, now, readings), Need):
            for inquiry in step.inquiries:
                self.asked[-1].append(inquiry)
                readings[inquiry.key] = self.model(inquiry)
        return step
