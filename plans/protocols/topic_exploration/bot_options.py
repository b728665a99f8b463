from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Any

from llm.routing.routes import has_model
from plans.models import Bot, Topic
from plans.protocols.base import BotDraft, ChecklistItem, PlanProtocol
from plans.protocols.needs import advice, language_items, reward_items, translation_items
from plans.protocols.topic_exploration.content import (
    CONTENT,
    TopicExplorationOptions,
    TopicIntelligence,
    options_of,
    turn_budget,
)
from plans.protocols.topic_exploration.topic_guides import job
from plans.protocols.topic_exploration.topic_guides.job import duplicate_guides, request_guides

# Follows from the rest of the plan, or is shown in another form.
NOT_SHOWN = {"signature", "max_minutes", "total_seconds", "seconds_per_turn", "topics", "fields"}
BUDGET = ("min_turns", "base_turns", "max_turns")


def needs(draft: BotDraft) -> list[ChecklistItem]:
    options = options_of(draft.bot)
    rows = [*_topic_items(draft.bot), *_data_items(draft.bot, options)] if draft.rows else []
    languages = [
        *language_items(options.languages),
        *translation_items(options.languages, "Topics and questions"),
    ]
    return [*languages, *rows, *reward_items(draft, options.reward)]


def _topic_items(bot: Bot) -> list[ChecklistItem]:
    topics = list(bot.topics.prefetch_related("sub_goals"))
    empty = ", ".join(f"“{topic}”" for topic in topics if not topic.sub_goals.all())
    budget = turn_budget(bot.minutes, len(topics))
    hint = "Add topics under Interview."
    items = [ChecklistItem(f"Topics: {len(topics)}", bool(topics), hint)]
    if not topics:
        return items
    return [
        *items,
        advice("Sub-goals of every topic", not empty, f"No sub-goals in {empty}."),
        _question_item(topics),
        advice("Time for every topic", not budget.too_short, budget.warning),
    ]


def _question_item(topics: Iterable[Topic]) -> ChecklistItem:
    """Questions are needed without a model, which asks nothing else; with one, they are advised."""
    lacking = [
        f"“{topic}”"
        for topic in topics
        if not all(goal.question.strip() for goal in topic.sub_goals.all())
    ]
    hint = f"Write a question for each sub-goal of {', '.join(lacking)}"
    reason = "it is asked if the model fails" if has_model() else "no model is configured"
    label = "A question for every sub-goal"
    return ChecklistItem(label, not lacking, f"{hint}: {reason}.", needed=not has_model())


def _data_items(bot: Bot, options: TopicExplorationOptions) -> list[ChecklistItem]:
    if not bot.data_fields.exists():
        return []
    why, how_long = options.data_purpose.strip(), options.data_kept.strip()
    why_hint = "Say why you ask for contact data, under Ending."
    how_long_hint = "Say how long you keep it, under Ending."
    return [
        ChecklistItem("Why contact data is asked for", bool(why), why_hint),
        ChecklistItem("How long contact data is kept", bool(how_long), how_long_hint),
    ]


def readable(material: Mapping[str, Any]) -> dict[str, Any]:
    topics = material.get("topics", ())
    budgets = {_turns(topic) for topic in topics}
    common = {"turns_a_topic": budgets.pop()} if len(budgets) == 1 else {}
    rest = {name: part for name, part in material.items() if name not in NOT_SHOWN}
    return {
        **common,
        "topics": [_readable_topic(topic, not common) for topic in topics],
        "contact_data": material.get("fields", ()),
        **rest,
    }


def _readable_topic(topic: Mapping[str, Any], with_turns: bool) -> dict[str, Any]:
    turns = {"turns": _turns(topic)} if with_turns else {}
    rest = {k: v for k, v in topic.items() if k not in (*BUDGET, "order", "questions")}
    guides = _readable_guides(topic.get("intelligence", {}))
    return rest | {"sub_goals": _readable_goals(topic)} | turns | {"intelligence": guides}


def _readable_goals(topic: Mapping[str, Any]) -> list[str]:
    goals, questions = topic.get("sub_goals", ()), topic.get("questions", ())
    pairs = zip_longest(goals, questions, fillvalue="")
    return [f"{goal}: {question}" if question else goal for goal, question in pairs]


def _readable_guides(lists: Mapping[str, Any]) -> str:
    fields = TopicIntelligence.model_fields
    parts = ((info.title, lists.get(name)) for name, info in fields.items())
    return "\n".join(line for title, items in parts if items for line in (f"{title}:", *items))


def _turns(topic: Mapping[str, Any]) -> str:
    least, base, most = (topic.get(name) for name in BUDGET)
    return f"{least} to {most}, as a rule {base}"


TOPIC_EXPLORATION = PlanProtocol(
    title="Topic exploration",
    content=CONTENT,
    summary="Goes through your topics and spends most time where people have most to say. Can ask "
    "for contact data with consent and give a reward. For research with many participants.",
    parts=frozenset({"topics", "data_fields"}),
    languages=lambda draft: list(options_of(draft.bot).languages),
    needs=needs,
    prepare=request_guides,
    duplicate=duplicate_guides,
    jobs={job.TASK: job.JOB},
    readable=readable,
)
