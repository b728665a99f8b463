from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.contrib.filters.admin import ChoicesDropdownFilter, RelatedDropdownFilter
from unfold.decorators import display

from interviews.admin.base import PartOfSession, session_link
from interviews.exports.reasons import reason_text
from interviews.models import Turn
from plans.admin.base import moment


@admin.register(Turn)
class TurnAdmin(PartOfSession):
    list_display = [
        "place",
        "bot",
        "trigger",
        "status",
        "why",
        "source",
        "first_word_ms",
        "total_ms",
        "attempts",
        "received",
    ]
    list_display_links = None
    exclude = ["readings", "decision"]  # shown on the interview's page, with permissions
    list_filter = [
        ("session__bot", RelatedDropdownFilter),
        ("status", ChoicesDropdownFilter),
        ("trigger", ChoicesDropdownFilter),
        "source",
    ]
    ordering = ["-id"]
    how_to_begin = "Each answer and the reply to it make a turn."

    def get_queryset(self, request: HttpRequest) -> QuerySet[Turn]:
        turns: QuerySet[Turn] = super().get_queryset(request)
        return turns.select_related("session__bot").defer(
            "session__state", "session__params", "readings"
        )

    @display(description="Turn", ordering="number")
    def place(self, turn: Turn) -> str:
        name = f"{str(turn.session_id)[:8]}, {turn.number}"
        return session_link(turn.session, name, f"#t{turn.number}")

    @display(description="Received", ordering="received_at")
    def received(self, turn: Turn) -> str:
        return moment(turn.received_at)

    @display(description="Bot", empty_value="deleted")
    def bot(self, turn: Turn) -> str | None:
        return str(turn.session.bot) if turn.session.bot else None

    @display(description="Why it went so")
    def why(self, turn: Turn) -> str:
        return reason_text(turn.decision.get("reason", ""))
