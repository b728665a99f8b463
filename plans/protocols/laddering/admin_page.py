from functools import partial
from typing import Any

from plans.admin.bot_page import BotPage, one_tab
from plans.models import Bot
from plans.protocols.laddering.admin import LadderConceptAdmin, LadderMethodologyAdmin
from plans.protocols.laddering.files import content_of
from plans.protocols.laddering.preview import bot_preview

__all__ = ["PAGE", "LadderConceptAdmin", "LadderMethodologyAdmin"]

FILES = ("concept", "methodology")


def ladder_facts(bot: Bot) -> dict[str, Any]:
    concept: Any = content_of(bot.concept)
    methodology: Any = content_of(bot.methodology)
    return {
        "concept": bot.concept,
        "methodology": bot.methodology,
        "elements": len(concept.elements) if concept else 0,
        "rungs": len(methodology.ladder) if methodology else 0,
    }


PAGE = BotPage(
    begins_with=FILES,
    options=("languages", "mode"),
    tabs=partial(one_tab, before=FILES, after=("minutes", "persona")),
    preview=bot_preview,
    facts=ladder_facts,
    facts_template="admin/plans/ladder/facts.html",
)
