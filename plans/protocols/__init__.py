"""What interviews of each protocol are about: one folder per protocol, and this table.

    base           what a protocol contributes to its bots and plans
    plan_content   what every plan contains
    needs          checklist items shared by several protocols
    rewards        what participants get at the end, as options

A folder has `content` (the typed content of a plan), `bot_options` (what its bots need) and
`admin_page` (a bot's page in the admin), which plans.admin.bot_pages finds by its name.
"""

from collections.abc import Mapping
from typing import Any

from plans.jobs import JobType
from plans.models import Bot
from plans.protocols.base import NO_CONTENT, BotDraft, ChecklistItem, ContentType, PlanProtocol
from plans.protocols.knowledge_transfer.bot_options import KNOWLEDGE_TRANSFER
from plans.protocols.laddering.bot_options import LADDERING
from plans.protocols.life_story.bot_options import LIFE_STORY
from plans.protocols.plan_content import Frozen, PlanContent, Texts
from plans.protocols.rewards import RewardOptions
from plans.protocols.technical_assessment.bot_options import TECHNICAL_ASSESSMENT
from plans.protocols.topic_exploration.bot_options import TOPIC_EXPLORATION

PROTOCOLS: dict[str, PlanProtocol] = {
    "life_story": LIFE_STORY,
    "topic_exploration": TOPIC_EXPLORATION,
    "technical_assessment": TECHNICAL_ASSESSMENT,
    "knowledge_transfer": KNOWLEDGE_TRANSFER,
    "laddering": LADDERING,
}


def protocol_of(bot: Bot) -> PlanProtocol:
    """Return the bot's protocol; an unknown one has no content and needs nothing."""
    unknown = PlanProtocol(bot.protocol.replace("_", " ").capitalize(), NO_CONTENT)
    return PROTOCOLS.get(bot.protocol, unknown)


def bot_languages(bot: Bot) -> list[str]:
    """Return the languages that it can interview in."""
    return protocol_of(bot).languages(BotDraft(bot, list(bot.scripts.all())))


def read_by_experts(bot: Bot) -> bool:
    if bot.expert_reflections:
        return bot.expert_reflections == Bot.Experts.YES
    return protocol_of(bot).read_by_experts


def readable(protocol: str, content: Mapping[str, Any]) -> dict[str, Any]:
    known = PROTOCOLS.get(protocol)
    material = content.get("material", {})
    return {**content, "material": known.readable(material) if known else material}


def job_types() -> dict[str, JobType[Any]]:
    """Return the background jobs of all protocols by their Celery task names."""
    return {name: job for protocol in PROTOCOLS.values() for name, job in protocol.jobs.items()}
