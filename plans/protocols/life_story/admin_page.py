from functools import partial

from plans.admin.bot_page import BotPage, one_tab

PAGE = BotPage(
    begins_with=("scripts",), tabs=partial(one_tab, before=("scripts", "minutes", "persona"))
)
