from django.contrib import admin
from unfold.decorators import display

from interviews.admin.base import FieldworkAdmin, session_link
from interviews.models import AccessRecord, Session
from plans.admin.base import TeamDropdownFilter, time_column


@admin.register(AccessRecord)
class AccessRecordAdmin(FieldworkAdmin):
    list_display = ["when", "name", "what", "bot", "interview"]
    list_select_related = ["bot"]
    list_filter = [("bot", TeamDropdownFilter), "what"]
    search_fields = ["name", "what", "session"]
    search_help_text = "User, what was done, interview’s ID"
    date_hierarchy = "at"
    how_to_begin = (
        "Whoever reads a transcript, sees names and addresses, or downloads data is recorded here. "
        "Opening the same thing again within an hour makes no second line."
    )

    when = time_column("When", "at")

    @display(description="Interview", empty_value="")
    def interview(self, record: AccessRecord) -> str | None:
        key = record.session
        return session_link(Session(pk=key), str(key)[:8]) if key else None
