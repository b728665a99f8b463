from plans.admin.bot_page import BotPage, split_options
from plans.forms.bot import OwnTab
from plans.models import Bot
from plans.protocols.laddering.admin.concept import LadderConceptAdmin
from plans.protocols.laddering.admin.facts import ladder_facts
from plans.protocols.laddering.admin.methodology import LadderMethodologyAdmin
from plans.protocols.laddering.admin.preview import bot_preview

__all__ = ["PAGE", "LadderConceptAdmin", "LadderMethodologyAdmin"]

FILES = ("concept", "methodology")


def _tabs(bot: Bot) -> list[OwnTab]:
    asking, reward = split_options(bot)
    return [OwnTab("Interview", [*FILES, *asking, "minutes", "persona"]), reward]


PAGE = BotPage(
    begins_with=FILES,
    options=("languages", "mode"),
    tabs=_tabs,
    preview=bot_preview,
    facts=ladder_facts,
    facts_template="admin/plans/ladder/facts.html",
)
