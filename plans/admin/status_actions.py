from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from unfold.decorators import action

from plans.admin.dialogs import dialog, go
from plans.bots.checklist import set_status
from plans.models import Bot

CLOSE = dialog(
    "Close this bot?",
    "Nobody new can start. Interviews under way can be finished.",
    "Close the bot",
)
DRAFT = dialog(
    "Return to draft?",
    "It stays closed to participants until you go live again.",
    "Return to draft",
)
STEPS = {Bot.Status.DRAFT: set(), Bot.Status.LIVE: {"set_closed"}, Bot.Status.CLOSED: {"set_draft"}}
ALL_STEPS = frozenset({"set_closed", "set_draft"})


class StatusActions:
    @action(description="Save and go live", permissions=["change"])
    def go_live(self: Any, request: HttpRequest, bot: Bot) -> None:
        """Do nothing: the form takes the button for a choice of its status (BotForm)."""

    @action(description="Close the bot", icon="stop", permissions=["change"], dialog=CLOSE)
    def set_closed(self: Any, request: HttpRequest, form: Any, object_id: str) -> HttpResponse:
        bot = set_status(self.row(request, object_id), Bot.Status.CLOSED)
        messages.success(request, f"“{bot}” is closed. Interviews under way can be finished.")
        return go(request, self.change_url(bot))

    @action(description="Return to draft", icon="edit", permissions=["change"], dialog=DRAFT)
    def set_draft(self: Any, request: HttpRequest, form: Any, object_id: str) -> HttpResponse:
        bot = set_status(self.row(request, object_id), Bot.Status.DRAFT)
        return go(request, self.change_url(bot))
