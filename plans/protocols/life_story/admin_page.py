from plans.admin.bot_page import BotPage, split_options
from plans.forms.bot import OwnTab
from plans.models import Bot


def _tabs(bot: Bot) -> list[OwnTab]:
    asking, reward = split_options(bot)
    return [OwnTab("Interview", ["scripts", "minutes", "persona", *asking]), reward]


PAGE = BotPage(begins_with=("scripts",), tabs=_tabs)
