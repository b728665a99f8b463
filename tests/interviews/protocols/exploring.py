"""A whole topic exploration in the hand: no database, and a model that is a function."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from interviews.engine.leading import SAME_QUESTION, SameQuestion
from interviews.engine.result import TaskCall
from interviews.protocols.topic_exploration.protocol import PROTOCOL
from interviews.protocols.topic_exploration.state import TopicExplorationState
from interviews.protocols.topic_exploration.tasks import LEAD, TopicLed
from llm.tasks.outcome import Outcome, Source
from plans.protocols import PlanContent, Texts
from plans.protocols.topic_exploration.content import (
    FieldMaterial,
    TopicExplorationMaterial,
    TopicExplorationOptions,
    TopicIntelligence,
    TopicMaterial,
    base_turns,
)
from tests.interviews.protocols.leading import Leading, offline

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


def written(made: TopicExplorationMaterial) -> TopicExplorationMaterial:
    """The material with a question for each sub-goal but the last of each topic."""
    topics = (
        topic.model_copy(
            update={"questions": (*(f"What of {g}?" for g in topic.sub_goals[:-1]), "")}
        )
        for topic in made.topics
    )
    return made.model_copy(update={"topics": tuple(topics)})


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


def questions(count: int) -> Iterator[str]:
    """So many questions, no two alike."""
    things = ("lid", "cord", "spout", "colour", "shop", "neighbour", "window", "radio", "bill")
    for number in range(count):
        one, other = things[number % 9], things[number // 9 % 9]
        yield f"How does the {one} of number {number} go with the {other}?"


def led(
    *turns: Mapping[str, Any] | None,
    same: str = "yes",
    others: Callable[[TaskCall], Outcome[Any]] = offline,
) -> Callable[[TaskCall], Outcome[Any]]:
    """A model that leads so, turn by turn, and then names no move; None: it fails."""
    queue = list(turns)

    def answer(call: TaskCall) -> Outcome[Any]:
        if call.task is LEAD:
            fields = queue.pop(0) if queue else {}
            if fields is None:
                return offline(call)
            return Outcome(TopicLed.model_validate({"heard": "fully", **fields}), Source.MODEL)
        if call.task is SAME_QUESTION:
            return Outcome(SameQuestion.model_validate({"same": same}), Source.MODEL)
        return others(call)

    return answer


@dataclass
class Exploring(Leading[TopicExplorationState, TopicExplorationMaterial]):
    """One exploration."""

    protocol = PROTOCOL
    name: str = ""

    def planned(self) -> PlanContent[Any]:
        """The plan around the material."""
        return plan(self.made)

    @property
    def phases(self) -> list[str]:
        """The phase after each turn."""
        return [move.details.get("phase", "") for move in self.moves]

    @property
    def values(self) -> dict[str, str]:
        """What was told in confidence and kept, by the field's key."""
        return {key: value for move in self.moves for key, value in move.collected.items()}
