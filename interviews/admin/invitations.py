from collections.abc import Sequence
from functools import partial
from typing import Any

from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.db.models import Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from unfold.contrib.filters.admin import DropdownFilter
from unfold.decorators import action, display

from interviews.admin import invitations_actions
from interviews.admin.base import (
    ContactsAdmin,
    FieldworkAdmin,
    sees_contacts,
    session_link,
    user_of,
)
from interviews.admin.invitations_forms import OneInvitationForm, params_as_text
from interviews.choices import ACTIVE
from interviews.models import Invitation, Mail, Participant, Session
from interviews.models.updates import mark_changed
from interviews.recruitment.invitations.changes import delete
from interviews.recruitment.invitations.states import InvitationState, state_of, with_state
from interviews.search.queries import containing
from llm.languages import language_name
from plans.admin.base import TeamDropdownFilter, moment, time_column


class StateFilter(DropdownFilter):
    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(str(state.value), str(state.label)) for state in InvitationState]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[Invitation]
    ) -> QuerySet[Invitation]:
        state = self.value()
        return queryset.filter(Q(state=state)) if state in InvitationState.values else queryset


def search_filter(words: str, with_contacts: bool) -> Q:
    """Match the reference or the id; also name and address for users who may see contacts."""
    matches = containing("reference", words) | _match_id(words)
    if with_contacts:
        matches |= containing("name", words) | containing("email", words)
    return matches


def _match_id(words: str) -> Q:
    digits = words.lower().replace("invitation", "").strip()
    return Q(id__istartswith=digits) if len(digits) >= 8 else Q(pk__in=())


BADGES = {
    InvitationState.SENT.label: "info",
    InvitationState.OPENED.label: "info",
    InvitationState.BEGUN.label: "warning",
    InvitationState.FINISHED.label: "success",
    InvitationState.EXPIRED.label: "danger",
    InvitationState.REVOKED.label: "danger",
}
MORE = ["reminder_here", "extend_here", "revoke_here"]
PROGRESS = ["sent", "reminded", "opened", "interview", "created"]


@admin.register(Invitation)
class InvitationAdmin(ContactsAdmin):
    form = OneInvitationForm
    list_display = ["who", "name", "email", "bot", "badge", "language_shown", "sent", "interview"]
    list_filter = [("bot", TeamDropdownFilter), StateFilter, "language"]
    search_fields = ["reference"]  # the search itself is `search_filter`
    search_help_text = "Reference, ID; name, address if you see them"
    date_hierarchy = "created_at"
    actions = ["make_links", "send_letter", "send_reminder", "extend", "revoke"]
    actions_list = ["invite"]
    actions_detail = [
        "links_here",
        "letter_here",
        {"title": "More", "icon": "more_horiz", "items": MORE},
    ]
    how_to_begin = (
        "Invite people from a list, or make links without names. Each link opens one interview, "
        "on any of that person's devices. “Invite people” makes many at once."
    )

    class Media(FieldworkAdmin.Media):
        css = {"all": ["interviews/admin.css", "interviews/invitations.css"]}

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse changes of revoked invitations: those who have withdrawn must not come back.

        Unfold calls it with the row's id for an action.
        """
        revoked = isinstance(obj, Invitation) and obj.revoked_at is not None
        return not revoked and bool(super().has_change_permission(request, obj))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Invitation]:
        rows = with_state(super().get_queryset(request).select_related("bot"), timezone.now())
        sessions = Session.objects.only("invitation_id", "started_at").order_by("-started_at")
        return rows.prefetch_related(Prefetch("sessions", sessions))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Invitation], search_term: str
    ) -> tuple[QuerySet[Invitation], bool]:
        words = search_term.strip()
        matches = search_filter(words, sees_contacts(request)) if words else Q()
        return queryset.filter(matches), False

    def get_fieldsets(self, request: HttpRequest, obj: Invitation | None = None) -> Any:
        who = self.visible(request, ["bot", "reference", "name", "email", "language"])
        who = ["badge", *who] if obj else who
        fieldsets = [
            ("Who is invited", {"fields": who, "classes": ["tab"]}),
            ("Validity and parameters", {"fields": ["expires_at", "more"], "classes": ["tab"]}),
        ]
        if obj is None:
            return fieldsets
        return [*fieldsets, ("Progress", {"fields": PROGRESS, "classes": ["tab"]})]

    def get_readonly_fields(self, request: HttpRequest, obj: Invitation | None = None) -> Any:
        return ["badge", *PROGRESS, "bot"] if obj else []

    @display(description="Invitation", ordering="reference")
    def who(self, row: Invitation) -> str:
        return str(row)

    @display(description="State", label=BADGES)
    def badge(self, row: Invitation) -> str:
        return str(state_of(row).label)

    @display(description="Language", ordering="language")
    def language_shown(self, row: Invitation) -> str:
        return language_name(row.language) if row.language else ""

    sent = time_column("E-mail sent", "sent_at", "not yet")
    reminded = time_column("Last reminder", "reminded_at", "none")
    opened = time_column("First opened", "entered_at", "not yet")
    created = time_column("Invited", "created_at")

    @display(description="Interview", empty_value="none yet")
    def interview(self, row: Invitation) -> str | None:
        latest = next(iter(row.sessions.all()), None)
        return session_link(latest, moment(latest.started_at)) if latest else None

    @display(description="Parameters", empty_value="none")
    def more(self, row: Invitation) -> str | None:
        return params_as_text(row.params) or None

    @action(description="Invite people", icon="group_add", permissions=["add"], variant="primary")
    def invite(self, request: HttpRequest) -> HttpResponse:
        return invitations_actions.invite_page(self, request)

    def save_model(self, request: HttpRequest, obj: Invitation, form: Any, change: bool) -> None:
        """Create a participant with a new invitation; else store only the changed fields.

        The form locks the row from when it found it not revoked.
        """
        if change:
            obj.save(update_fields=form.changed_fields())
            # After the commit: who withdraws locks the interview before its invitation.
            transaction.on_commit(partial(mark_changed, invitation=obj.pk))
            return
        obj.participant = Participant.objects.create()
        super().save_model(request, obj, form, change)

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        keys = [row.pk for row in objs]
        running = Session.objects.filter(invitation__in=keys, status__in=ACTIVE).count()
        lines = [f"{len(keys):,} with links, e-mails and contact data. Interviews are kept."]
        if running:
            lines.append(f"{running:,} under way can’t be continued afterwards.")
        allowed = self.has_delete_permission(request)
        return lines, {}, set() if allowed else {"invitation"}, []

    def delete_model(self, request: HttpRequest, obj: Invitation) -> None:
        delete(Invitation.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Invitation]) -> None:
        delete(Invitation.objects.filter(pk__in=list(queryset.values_list("pk", flat=True))))

    def log(self, request: HttpRequest, rows: Sequence[Invitation], what: str) -> None:
        LogEntry.objects.log_actions(user_of(request).pk, rows, CHANGE, what)

    @admin.action(description="Make links or codes", permissions=["change"])
    def make_links(self, request: HttpRequest, queryset: QuerySet[Invitation]) -> Any:
        return invitations_actions.links(self, request, queryset)

    @admin.action(description="Send e-mail", permissions=["change"])
    def send_letter(self, request: HttpRequest, queryset: QuerySet[Invitation]) -> Any:
        return invitations_actions.letters(self, request, queryset, Mail.Kind.INVITATION)

    @admin.action(description="Remind those who haven’t finished", permissions=["change"])
    def send_reminder(self, request: HttpRequest, queryset: QuerySet[Invitation]) -> Any:
        return invitations_actions.letters(self, request, queryset, Mail.Kind.REMINDER)

    @admin.action(description="Extend", permissions=["change"])
    def extend(self, request: HttpRequest, queryset: QuerySet[Invitation]) -> Any:
        return invitations_actions.extend(self, request, queryset)

    @admin.action(description="Revoke", permissions=["change"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[Invitation]) -> Any:
        return invitations_actions.revoke(self, request, queryset)

    @action(description="Make a link or code", icon="qr_code_2", permissions=["change"])
    def links_here(self, request: HttpRequest, object_id: str) -> Any:
        return self.make_links(request, self._one(request, object_id))

    @action(description="Send e-mail", icon="mail", permissions=["change"])
    def letter_here(self, request: HttpRequest, object_id: str) -> Any:
        return self.send_letter(request, self._one(request, object_id))

    @action(description="Remind", icon="notifications", permissions=["change"])
    def reminder_here(self, request: HttpRequest, object_id: str) -> Any:
        return self.send_reminder(request, self._one(request, object_id))

    @action(description="Extend", icon="event", permissions=["change"])
    def extend_here(self, request: HttpRequest, object_id: str) -> Any:
        return self.extend(request, self._one(request, object_id))

    @action(description="Revoke", icon="block", permissions=["change"])
    def revoke_here(self, request: HttpRequest, object_id: str) -> Any:
        return self.revoke(request, self._one(request, object_id))

    def _one(self, request: HttpRequest, object_id: str) -> QuerySet[Invitation]:
        return self.get_queryset(request).filter(pk=self.row(request, object_id).pk)
