from unfold.decorators import display

from interviews.admin import querysets
from interviews.admin.base import FieldworkAdmin, session_link
from plans.admin.base import bot_column, time_column
from reflections.models import Calibration, Reflection

STATES = {"Waiting": "info", "In progress": "info", "Ready": "success", "Failed": "danger"}
Result = Reflection | Calibration


class ResultAdmin(FieldworkAdmin):
    """What is made of an interview: the columns that its lists share.

    Results are deleted only with the interview: unwelcome ones stay on record.
    """

    @display(description="Interview")
    def interview(self, row: Result) -> str:
        return session_link(row.session, querysets.who(row.session))

    bot = bot_column("session__bot")

    @display(description="State", ordering="status", label=STATES)
    def badge(self, row: Result) -> str:
        return row.get_status_display()

    made = time_column("Generated", "finished_at")
