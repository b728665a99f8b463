from typing import Any

from django.http import HttpRequest
from unfold.decorators import display

from interviews.admin import querysets
from interviews.admin.base import FieldworkAdmin, session_link
from plans.admin.base import bot_column, time_column
from reflections.models import Calibration, Reflection

STATES = {"Waiting": "info", "In progress": "info", "Ready": "success", "Failed": "danger"}
Result = Reflection | Calibration


class ResultAdmin(FieldworkAdmin):
    """What is made of an interview: the columns that its lists share."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Deleted only with the interview: unwelcome results stay on record."""
        return False

    @display(description="Interview")
    def interview(self, row: Result) -> str:
        return session_link(row.session, querysets.who(row.session))

    bot = bot_column("session__bot")

    @display(description="State", ordering="status", label=STATES)
    def badge(self, row: Result) -> str:
        return row.get_status_display()

    made = time_column("Generated", "finished_at")
