"""The material of a topic exploration, and how it is compiled from a bot."""

import hashlib
import json
from typing import Any

from pydantic import Field

from plans.models import Bot, Intelligence, Topic
from plans.protocols.base import ContentType
from plans.protocols.plan_content import Frozen, stored_options
from plans.protocols.rewards import RewardOptions

SECONDS_A_TURN = 45
DEEPEN_MOST, DEEPEN_FALLBACK = 2, 1


class TopicExplorationOptions(Frozen):
    """What an admin can set for this protocol (Bot.options)."""

    languages: tuple[str, ...] = Field(
        ("en",),
        title="Languages",
        description="Those it can be held in, as tags with commas between: en, it. The first is "
        "the one that topics are written in.",
    )
    goal: str = Field(
        "",
        title="Research goal",
        description="What the research wants to know, in a few sentences. The interviewer reads it "
        "before every question, and so does the model that prepares the topics.",
    )
    manual_guide: str = Field(
        "",
        title="Guide of your own",
        description="What the interviewer should know about the topics: how to read answers, what "
        "to follow up. It reads the paragraphs that name the topic at hand, so name it in each. "
        "With a guide, what a model prepared is only a reserve.",
    )
    data_purpose: str = Field(
        "",
        title="Why it is asked for",
        description="A whole sentence in the interview's language, said before people agree: “We "
        "use them to send you the results.”",
    )
    data_kept: str = Field(
        "",
        title="How long it is kept",
        description="Another one: “They are deleted after six months.”",
    )
    reward: RewardOptions = RewardOptions()


class TopicIntelligence(Frozen):
    """What a model prepared for one topic."""

    interpretation_cues: tuple[str, ...] = ()  # how to read answers
    significance_signals: tuple[str, ...] = ()  # what deserves depth
    probe_angles: tuple[str, ...] = ()  # directions to follow up


class TopicMaterial(Frozen):
    """One topic as a session meets it."""

    key: str
    label: str
    order: int
    sub_goals: tuple[str, ...]
    min_turns: int
    base_turns: int
    max_turns: int
    intelligence: TopicIntelligence = TopicIntelligence()


class FieldMaterial(Frozen):
    """One thing that is asked for."""

    key: str
    kind: str
    label: str


class DeepenMaterial(Frozen):
    """The budget of DEEPEN."""

    max_turns: int = DEEPEN_MOST
    fallback_turns: int = DEEPEN_FALLBACK


class TopicExplorationMaterial(Frozen):
    """Topics with budgets and intelligence, fields, reward."""

    signature: str  # of what the intelligence rests on
    max_minutes: int
    total_seconds: int
    seconds_per_turn: int = SECONDS_A_TURN
    topics: tuple[TopicMaterial, ...] = Field(min_length=1, max_length=60)
    deepen: DeepenMaterial = DeepenMaterial()
    fields: tuple[FieldMaterial, ...] = ()
    options: TopicExplorationOptions = TopicExplorationOptions()


def options_of(bot: Bot) -> TopicExplorationOptions:
    """Return the bot's options; the defaults where what is stored doesn't fit."""
    return stored_options(TopicExplorationOptions, bot)


def compile_material(bot: Bot) -> TopicExplorationMaterial:
    """The bot's topics with the intelligence that is there by now.

    Raises pydantic.ValidationError when the bot has no topic.
    """
    options = TopicExplorationOptions.model_validate(bot.options)
    signed = signature(bot, options)
    prepared = Intelligence.objects.filter(bot=bot, signature=signed).first()
    return TopicExplorationMaterial(
        signature=signed,
        max_minutes=bot.minutes,
        total_seconds=bot.minutes * 60,
        topics=_topics(bot, prepared.content if prepared else {}),
        fields=tuple(
            FieldMaterial(key=field.key, kind=field.kind, label=field.label)
            for field in bot.data_fields.all()
        ),
        options=options,
    )


def signature(bot: Bot, options: TopicExplorationOptions) -> str:
    """SHA-256 (hex) over topics, sub-goals, duration and goal: what the intelligence rests on."""
    rests_on = {
        "topics": [[t.key, t.label, _goals(t)] for t in _rows(bot)],
        "minutes": bot.minutes,
        "goal": options.goal,
    }
    canonical = json.dumps(rests_on, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def rests_on(bot: Bot) -> str:
    """Return the signature over topics, sub-goals, duration and goal; empty without topics."""
    return signature(bot, options_of(bot)) if bot.topics.exists() else ""


def _rows(bot: Bot) -> list[Topic]:
    return list(bot.topics.prefetch_related("sub_goals"))


def _goals(topic: Topic) -> list[str]:
    return [goal.text for goal in topic.sub_goals.all()]


def _topics(bot: Bot, prepared: dict[str, Any]) -> tuple[TopicMaterial, ...]:
    rows = _rows(bot)
    base = base_turns(bot.minutes * 60, len(rows))
    return tuple(
        TopicMaterial(
            key=topic.key,
            label=topic.label,
            order=order,
            sub_goals=tuple(_goals(topic)),
            min_turns=1,
            base_turns=base,
            max_turns=base + 2,
            intelligence=TopicIntelligence.model_validate(prepared.get(topic.key, {})),
        )
        for order, topic in enumerate(rows, start=1)
    )


def base_turns(total_seconds: int, topics: int) -> int:
    """Turns a topic gets without a bonus: max(2, turns in all ÷ topics)."""
    return max(2, total_seconds // SECONDS_A_TURN // max(1, topics))


def languages(material: TopicExplorationMaterial) -> tuple[str, ...]:
    """The languages that an interview can be held in."""
    return material.options.languages


def question_count(material: TopicExplorationMaterial) -> None:
    """Nobody knows beforehand how many questions there will be."""


CONTENT = ContentType(
    options=TopicExplorationOptions,
    material=TopicExplorationMaterial,
    compile=compile_material,
    languages=languages,
    questions=question_count,
)
