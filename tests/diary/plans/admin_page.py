from plans.admin.bot_page import BotPage

PAGE = BotPage()
