from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from unfold.decorators import action
from unfold.enums import ActionVariant

from plans.admin.dialogs import go
from plans.bots.checklist import close, go_live, reopen_as_draft
from plans.models import Bot

GO_LIVE = {
    "title": "Go live?",
    "description": "Participants can start from now on. You can close the bot at any time.",
    "form_class": None,
    "form_submit_text": "Go live",
}
CLOSE = {
    "title": "Close this bot?",
    "description": "Nobody new can start. Interviews under way can be finished.",
    "form_class": None,
    "form_submit_text": "Close the bot",
}
DRAFT = {
    "title": "Return to draft?",
    "description": "It stays closed to participants until you go live again.",
    "form_class": None,
    "form_submit_text": "Return to draft",
}
STEPS = {
    Bot.Status.DRAFT: {"set_live"},
    Bot.Status.LIVE: {"set_closed"},
    Bot.Status.CLOSED: {"set_live", "set_draft"},
}
ALL_STEPS = frozenset({"set_live", "set_closed", "set_draft"})


class StatusActions:
    @action(
        description="Go live",
        icon="play_arrow",
        permissions=["change"],
        dialog=GO_LIVE,
        variant=ActionVariant.PRIMARY,
    )
    def set_live(self: Any, request: HttpRequest, form: Any, object_id: str) -> HttpResponse:
        bot = self.row(request, object_id)
        if missing := go_live(bot):
            messages.error(request, f"Not live yet. {' '.join(missing)}")
        else:
            messages.success(request, f"“{bot}” is live at {bot.public_path}.")
        return go(request, self.change_url(bot))

    @action(description="Close the bot", icon="stop", permissions=["change"], dialog=CLOSE)
    def set_closed(self: Any, request: HttpRequest, form: Any, object_id: str) -> HttpResponse:
        bot = close(self.row(request, object_id))
        messages.success(request, f"“{bot}” is closed. Interviews under way can be finished.")
        return go(request, self.change_url(bot))

    @action(description="Return to draft", icon="edit", permissions=["change"], dialog=DRAFT)
    def set_draft(self: Any, request: HttpRequest, form: Any, object_id: str) -> HttpResponse:
        bot = reopen_as_draft(self.row(request, object_id))
        return go(request, self.change_url(bot))
