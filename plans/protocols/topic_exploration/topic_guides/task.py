import re
from collections.abc import Collection, Iterable
from pathlib import Path

from pydantic import BaseModel

from llm.tasks.task import Result, Task, Tier
from plans.models import Bot, SubGoal
from plans.protocols.topic_exploration.content import (
    TopicExplorationOptions,
    TopicIntelligence,
    base_turns,
)
from plans.text import tidy

MOST_ITEMS = 5  # of one list
LONGEST_ITEM = 160  # characters
LONGEST_QUESTION = SubGoal._meta.get_field("question").max_length or 0
ENDS_ASKING = re.compile(r"^[^?？؟]+[?？؟][\"'”»)]?$")  # one question, and nothing after it
LISTS = tuple(TopicIntelligence.model_fields)


class TopicIn(BaseModel):
    key: str
    label: str
    sub_goals: list[str]


class PrepareInput(BaseModel):
    goal: str
    minutes: int
    turns: int
    topics: list[TopicIn]


class TopicOut(Result):
    """One topic as the model prepares it."""

    key: str
    interpretation_cues: list[str]
    significance_signals: list[str]
    probe_angles: list[str]
    questions: list[str] = []


class Prepared(Result):
    """All topics; a list, since providers take no open maps."""

    topics: list[TopicOut]


PREPARE = Task(
    name="plans.intelligence",
    tier=Tier.MAIN,
    template=Path(__file__).parent / "prompts/intelligence.md",
    input=PrepareInput,
    output=Prepared,
    fallback=lambda data: Prepared(topics=[]),
    timeout=120.0,
    max_tokens=12_000,
    temperature=0.3,
)


def prepare_input(bot: Bot) -> PrepareInput:
    topics = list(bot.topics.prefetch_related("sub_goals"))
    return PrepareInput(
        goal=TopicExplorationOptions.model_validate(bot.options).goal or "(not said)",
        minutes=bot.minutes,
        turns=base_turns(bot.minutes * 60, len(topics)),
        topics=[
            TopicIn(key=t.key, label=t.label, sub_goals=[g.text for g in t.sub_goals.all()])
            for t in topics
        ],
    )


def drafted_questions(prepared: Prepared, data: PrepareInput) -> dict[str, dict[str, str]]:
    """Return questions by topic key and sub-goal.

    A topic for which the model wrote more or fewer questions than there are sub-goals is left out:
    nobody could tell which belongs to which.
    """
    goals = {topic.key: topic.sub_goals for topic in data.topics}
    matching = (t for t in prepared.topics if len(t.questions) == len(goals.get(t.key, ())))
    drafts = {topic.key: _drafts(goals.get(topic.key, ()), topic.questions) for topic in matching}
    return {key: questions for key, questions in drafts.items() if questions}


def _drafts(goals: Iterable[str], questions: Iterable[str]) -> dict[str, str]:
    pairs = zip(goals, (" ".join(tidy(text).split()) for text in questions), strict=True)
    return {goal: question for goal, question in pairs if _is_question(question)}


def _is_question(text: str) -> bool:
    return len(text) <= LONGEST_QUESTION and ENDS_ASKING.search(text) is not None


def usable_lists(prepared: Prepared, keys: Collection[str]) -> dict[str, dict[str, list[str]]]:
    return {
        topic.key: lists
        for topic in prepared.topics
        if topic.key in keys and any((lists := _clean_lists(topic)).values())
    }


def _clean_lists(topic: BaseModel) -> dict[str, list[str]]:
    return {name: _clean_items(getattr(topic, name))[:MOST_ITEMS] for name in LISTS}


def _clean_items(items: Iterable[str]) -> list[str]:
    lines = (" ".join(tidy(item).split())[:LONGEST_ITEM].strip() for item in items)
    return list(dict.fromkeys(line for line in lines if line))
