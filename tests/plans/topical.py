"""Topic explorations for tests."""

from typing import Any

from plans.models import Bot, DataField, SubGoal, Topic
from plans.protocols.topic_exploration.topic_guides.task import Prepared, TopicOut
from tests.scripted import scripted

TASK = "plans.intelligence"
OPTIONS = {
    "goal": "How people sleep.",
    "data_purpose": "We send you the results.",
    "data_kept": "They are deleted in a year.",
}


def make_topic_bot(topics: int = 3, goals: int = 2, **changes: Any) -> Bot:
    """A live topic exploration that lacks nothing, with two fields."""
    fields = {"slug": "sleep", "title": "Sleep", "protocol": "topic_exploration", "minutes": 15}
    fields |= {
        "status": "live",
        "host": "Testers",
        "contact": "ask@example.org",
        "persona": "Calm.",
        "options": OPTIONS,
    }
    fields |= {"alert_to": "study@example.org"}
    bot = Bot.objects.create(**{**fields, **changes})
    for place in range(topics):
        topic = Topic.objects.create(
            bot=bot, key=f"t{place + 1}", label=f"the topic {place + 1}", position=place
        )
        for number in range(goals):
            text = f"aim {number + 1} of topic {place + 1}"
            question = f"What about {text}?"
            SubGoal.objects.create(topic=topic, text=text, question=question, position=number)
    for place, kind in enumerate(["name", "email"]):
        DataField.objects.create(bot=bot, key=kind, kind=kind, label=kind, position=place)
    bot.texts.create(language="en", summary="a", consent="b", about="c", care="d")
    return bot


def prepared(*keys: str) -> Prepared:
    """What a model might answer about these topics."""
    return Prepared(
        topics=[
            TopicOut(
                key=key,
                interpretation_cues=[f"a cue for {key}"],
                significance_signals=[f"a sign for {key}"],
                probe_angles=[f"an angle of {key}"],
            )
            for key in keys
        ]
    )


def answers(*says: Any) -> None:
    """What the scripted model says when it is asked to prepare topics."""
    scripted.clear()
    scripted.reply(TASK, *says)


def lists(*lines: str) -> dict[str, list[str]]:
    """The stored intelligence of one topic, the same in each list."""
    names = ("interpretation_cues", "significance_signals", "probe_angles")
    return {name: list(lines) for name in names}
