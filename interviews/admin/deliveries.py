"""The admin of e-mails and webhooks: what was sent, what waits and why, and retrying failures.

An e-mail's text is written when it is sent and never stored.
"""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import ChoicesDropdownFilter
from unfold.decorators import action, display
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldAdminURLInputWidget

from interviews.admin.base import ContactsAdmin, FieldworkAdmin, OwnRows, session_link, user_of
from interviews.models import Mail, Webhook, WebhookDelivery
from interviews.recruitment.mail import jobs
from interviews.security.sealing import seal
from interviews.webhooks.delivery import BadAddress, checked, enqueue_on_commit, new_secret
from plans.admin.base import bots_linked, moment, time_column
from plans.jobs import ANEW, Job

RESEND = "interviews.change_mail"
STATES = {"Waiting": "info", "Being sent": "info", "Sent": "success", "Failed": "danger"}
NAMES = {"Ready": "Sent", "In progress": "Being sent"}
SHOWN_ONCE = (
    "Copy the secret now, it isn’t shown again: <code>{}</code>. With it, your program can check "
    "that a call comes from this site."
)


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


class WebhookForm(forms.ModelForm):  # type: ignore[type-arg]
    url = forms.URLField(
        label="Address", max_length=500, assume_scheme="https", widget=UnfoldAdminURLInputWidget()
    )
    events = forms.MultipleChoiceField(
        choices=Webhook.Event.choices, widget=UnfoldAdminCheckboxSelectMultipleWidget()
    )

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"]
        try:
            checked(url)
        except BadAddress as error:
            raise forms.ValidationError(str(error)) from None
        return url


@admin.register(Webhook)
class WebhookAdmin(OwnRows):
    form = WebhookForm
    list_display = ["name", "user", "url", "bot", "events_shown", "is_active", "latest"]
    fields = ["name", "url", "bot", "events", "is_active"]
    actions_detail = ["send_test"]
    how_to_begin = (
        "A webhook tells another program when an interview begins, ends, shows signs of distress "
        "or is withdrawn, and when data is exported. Nothing that was said is sent."
    )

    def save_model(self, request: HttpRequest, obj: Webhook, form: Any, change: bool) -> None:
        if not change:
            secret = new_secret()
            obj.user, obj.secret = user_of(request), seal(secret)
            messages.success(request, format_html(SHOWN_ONCE, secret))
        super().save_model(request, obj, form, change)

    @action(description="Send a test", icon="send", permissions=["change"])
    def send_test(self, request: HttpRequest, object_id: str) -> HttpResponse:
        hook: Webhook = self.row(request, object_id)
        if not hook.is_active:
            messages.warning(request, "It isn’t active, so nothing is sent. Make it active first.")
            return redirect(self.change_url(hook))
        event, data = (hook.events or list(Webhook.Event))[0], {"test": True}
        row = WebhookDelivery.objects.create(webhook=hook, event=event, data=data)
        enqueue_on_commit(row.pk)
        messages.success(request, "A test is on its way. See its delivery for the answer.")
        return redirect("admin:interviews_webhookdelivery_changelist")

    @display(description="Events")
    def events_shown(self, hook: Webhook) -> str:
        return ", ".join(str(Webhook.Event(event).label) for event in hook.events)

    @display(description="Last delivery", label=STATES, empty_value="")
    def latest(self, hook: Webhook) -> str | None:
        row = hook.deliveries.first()
        return state_label(row) if row else None


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(FieldworkAdmin):
    list_display = ["event", "webhook", "state", "answer", "attempts", "next", "requested", "sent"]
    list_filter = [("event", ChoicesDropdownFilter), ("status", ChoicesDropdownFilter)]
    search_fields = ["webhook__name"]
    search_help_text = "Searches names of webhooks"
    list_select_related = ["webhook"]
    fields = ["key", *list_display, "data"]
    readonly_fields = fields
    actions = ["send_now"]
    how_to_begin = "Deliveries of webhooks appear here, and stay for 30 days."

    def get_queryset(self, request: HttpRequest) -> QuerySet[WebhookDelivery]:
        rows: QuerySet[WebhookDelivery] = super().get_queryset(request)
        return rows if request.user.is_superuser else rows.filter(webhook__user=user_of(request))

    def has_again_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("interviews.change_webhook"))

    @display(description="State", ordering="status", label=STATES)
    def state(self, row: WebhookDelivery) -> str:
        return state_label(row)

    @display(description="Answer")
    def answer(self, row: WebhookDelivery) -> str:
        return str(row.content.get("status", row.reason))

    @display(description="Next attempt", ordering="claimed_until", empty_value="")
    def next(self, row: WebhookDelivery) -> str | None:
        until = row.claimed_until if row.status == Job.Status.PENDING else None
        return moment(until) if until else None

    requested = time_column("Requested", "created_at")
    sent = time_column("Sent", "finished_at")

    @admin.action(description="Send now", permissions=["again"])
    def send_now(self, request: HttpRequest, queryset: QuerySet[WebhookDelivery]) -> None:
        """Send what waits for its next attempt, failed, or was sent; not what is being sent."""
        with transaction.atomic():
            keys = list(queryset.exclude(status=Job.Status.RUNNING).values_list("pk", flat=True))
            rows = WebhookDelivery.objects.filter(pk__in=keys)
            rows.exclude(status=Job.Status.RUNNING).update(**ANEW)
        for pk in keys:
            enqueue_on_commit(pk)
        if keys:
            messages.success(request, f"{len(keys)} being sent now.")
        else:
            messages.warning(request, "All of them are being sent already.")
