import hashlib
import json
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from plans.models import Bot, Intelligence, Topic
from plans.protocols.base import ContentType
from plans.protocols.plan_content import Frozen, languages_option, option, stored_options
from plans.protocols.rewards import OptionsOfAnyBot, RewardOptions

SECONDS_A_TURN = 45
DEEPEN_MOST, DEEPEN_FALLBACK = 2, 1


class TopicExplorationOptions(OptionsOfAnyBot):
    languages: tuple[str, ...] = languages_option("The first is the language of the topics.")
    goal: str = option(
        "",
        "Research goal",
        "What you want to find out, in a few sentences. The interviewer reads it "
        "before every question, and so does the model that prepares the topics.",
    )
    manual_guide: str = option(
        "",
        "Your own guide",
        "What the interviewer should know about the topics: how to read answers, what "
        "to follow up. It reads the paragraphs that name the current topic, so name it in each. "
        "With your own guide, the prepared topic guides are only a fallback.",
    )
    data_purpose: str = option(
        "",
        "Why you ask for it",
        "A full sentence in the interview's language, said before people agree: “We "
        "use them to send you the results.”",
    )
    data_kept: str = option(
        "", "How long you keep it", "Another full sentence: “They are deleted after six months.”"
    )
    reward: RewardOptions = RewardOptions()


class TopicIntelligence(Frozen):
    interpretation_cues: tuple[str, ...] = option(
        (), "How to read answers", "What phrases stand for, what is left out."
    )
    significance_signals: tuple[str, ...] = option(
        (), "What deserves depth", "Signs that something mattered."
    )
    probe_angles: tuple[str, ...] = option(
        (), "Directions to follow up", "Noun phrases that fit after “Could you tell me about …?”"
    )


class TopicMaterial(Frozen):
    key: str
    label: str
    order: int
    sub_goals: tuple[str, ...]
    questions: tuple[str, ...] = ()  # one for each sub-goal, or none; plans of before have none
    min_turns: int
    base_turns: int
    max_turns: int
    intelligence: TopicIntelligence = TopicIntelligence()

    def question_for(self, sub_goal: int) -> str:
        """Return the question written for a sub-goal, by its index; '' if there is none."""
        return self.questions[sub_goal] if sub_goal < len(self.questions) else ""


class FieldMaterial(Frozen):
    key: str
    kind: str
    label: str


class DeepenMaterial(Frozen):
    max_turns: int = DEEPEN_MOST
    fallback_turns: int = DEEPEN_FALLBACK


class TopicExplorationMaterial(Frozen):
    signature: str  # of what the guides depend on
    max_minutes: int
    total_seconds: int
    seconds_per_turn: int = SECONDS_A_TURN
    topics: tuple[TopicMaterial, ...] = Field(min_length=1, max_length=60)
    deepen: DeepenMaterial = DeepenMaterial()
    fields: tuple[FieldMaterial, ...] = ()
    options: TopicExplorationOptions = TopicExplorationOptions()


def options_of(bot: Bot) -> TopicExplorationOptions:
    return stored_options(TopicExplorationOptions, bot)


def compile_material(bot: Bot) -> TopicExplorationMaterial:
    """Return the bot's topics with the guides that are ready by now.

    Raises pydantic.ValidationError when the bot has no topic.
    """
    options = TopicExplorationOptions.model_validate(bot.options)
    bot_signature = signature(bot, options)
    guides = Intelligence.objects.filter(bot=bot, signature=bot_signature).first()
    return TopicExplorationMaterial(
        signature=bot_signature,
        max_minutes=bot.minutes,
        total_seconds=bot.minutes * 60,
        topics=_topics(bot, guides.content if guides else {}),
        fields=tuple(
            FieldMaterial(key=f.key, kind=f.kind, label=f.label) for f in bot.data_fields.all()
        ),
        options=options,
    )


def signature(bot: Bot, options: TopicExplorationOptions) -> str:
    """Return a SHA-256 (hex) over topics, sub-goals, duration and goal: what guides depend on."""
    inputs = {
        "topics": [[t.key, t.label, _goals(t)] for t in _stored_topics(bot)],
        "minutes": bot.minutes,
        "goal": options.goal,
    }
    canonical = json.dumps(inputs, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def current_signature(bot: Bot) -> str:
    return signature(bot, options_of(bot)) if bot.topics.exists() else ""


def _stored_topics(bot: Bot) -> list[Topic]:
    return list(bot.topics.prefetch_related("sub_goals"))


def _goals(topic: Topic) -> list[str]:
    return [goal.text for goal in topic.sub_goals.all()]


def _questions(topic: Topic) -> tuple[str, ...]:
    questions = tuple(goal.question.strip() for goal in topic.sub_goals.all())
    return questions if any(questions) else ()


def _topics(bot: Bot, guides: dict[str, Any]) -> tuple[TopicMaterial, ...]:
    rows = _stored_topics(bot)
    base = base_turns(bot.minutes * 60, len(rows))
    return tuple(
        TopicMaterial(
            key=topic.key,
            label=topic.label,
            order=order,
            sub_goals=tuple(_goals(topic)),
            questions=_questions(topic),
            min_turns=1,
            base_turns=base,
            max_turns=base + 2,
            intelligence=TopicIntelligence.model_validate(guides.get(topic.key, {})),
        )
        for order, topic in enumerate(rows, start=1)
    )


def base_turns(total_seconds: int, topics: int) -> int:
    """Return the turns a topic gets without a bonus: max(2, all turns ÷ topics)."""
    return max(2, total_seconds // SECONDS_A_TURN // max(1, topics))


CONTENT = ContentType(
    options=TopicExplorationOptions,
    material=TopicExplorationMaterial,
    compile=compile_material,
    steps=lambda material: tuple(topic.label for topic in material.topics),
)


@dataclass(frozen=True)
class TurnBudget:
    """How many turns there are in all, and per topic; a turn is a question with its answer."""

    minutes: int
    topics: int
    total: int
    least: int
    base: int
    most: int

    @property
    def too_short(self) -> bool:
        return self.topics * SECONDS_A_TURN > self.minutes * 60

    @property
    def over(self) -> bool:
        return self.topics * self.base > self.total

    @property
    def needed(self) -> int:
        return -(-self.topics * SECONDS_A_TURN // 60)

    @property
    def warning(self) -> str:
        if not self.too_short:
            return ""
        return (
            f"{self.topics} topics need {self.needed} minutes for one question each; there are "
            f"{self.minutes}. The last ones would come up only if people agree to continue."
        )


def turn_budget(minutes: int, topics: int) -> TurnBudget:
    base = base_turns(minutes * 60, topics)
    return TurnBudget(minutes, topics, minutes * 60 // SECONDS_A_TURN, 1, base, base + 2)
