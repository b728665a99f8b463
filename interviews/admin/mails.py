"""The admin of e-mails: what was sent, what waits and why, and retrying failures.

An e-mail's text is written when it is sent and never stored.
"""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import ChoicesDropdownFilter
from unfold.decorators import display

from interviews.admin.base import ContactsAdmin, FieldworkAdmin, session_link
from interviews.models import Mail, WebhookDelivery
from interviews.recruitment.mail import jobs
from plans.admin.base import bots_linked, time_column

RESEND = "interviews.change_mail"
STATES = {"Waiting": "info", "Being sent": "info", "Sent": "success", "Failed": "danger"}
NAMES = {"Ready": "Sent", "In progress": "Being sent"}


def state_label(row: Mail | WebhookDelivery) -> str:
    label = row.get_status_display()
    return NAMES.get(label, label)


@admin.register(Mail)
class MailAdmin(ContactsAdmin, FieldworkAdmin):
    list_display = ["kind_shown", "about", "bot", "to", "badge", "reason", "wished", "sent"]
    list_filter = [("kind", ChoicesDropdownFilter), ("status", ChoicesDropdownFilter)]
    fields = list_display
    readonly_fields = list_display
    date_hierarchy = "created_at"
    actions = ["send_again"]
    how_to_begin = (
        "E-mails appear here once they are requested: invitations, reminders, exports that are "
        "ready, and alerts when somebody seems to be in distress. They are sent once a mail "
        "server is configured."
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Mail]:
        rows: QuerySet[Mail] = super().get_queryset(request)
        return rows.select_related("session__bot", "invitation__bot", "export__bot").defer(
            "session__state", "session__params"
        )

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Sequence[Any]:
        return self.get_list_display(request)

    def has_again_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm(RESEND))

    @display(description="E-mail", ordering="kind")
    def kind_shown(self, mail: Mail) -> str:
        number = f" {mail.number}" if mail.number > 1 else ""
        return f"{mail.get_kind_display()}{number}"

    @display(description="About")
    def about(self, mail: Mail) -> str | SafeString:
        if mail.session:
            return session_link(mail.session, f"Interview {str(mail.session.pk)[:8]}")
        return str(mail.invitation or mail.export)

    @display(description="Bot", empty_value="deleted")
    def bot(self, mail: Mail) -> SafeString | None:
        subject = mail.session or mail.invitation or mail.export
        return bots_linked([subject.bot]) if subject and subject.bot else None

    @display(description="State", ordering="status", label=STATES)
    def badge(self, mail: Mail) -> str:
        return state_label(mail)

    wished = time_column("Requested", "created_at")
    sent = time_column("Sent", "finished_at")

    @admin.action(description="Send again", permissions=["again"])
    def send_again(self, request: HttpRequest, queryset: QuerySet[Mail]) -> None:
        with transaction.atomic():
            count = sum(jobs.send_again(mail) for mail in queryset)
        if count:
            messages.success(request, f"{count} being sent again.")
        else:
            messages.warning(request, "None of them had failed, so nothing was sent again.")
