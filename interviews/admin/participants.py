from typing import Any

from django.contrib import admin
from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest
from unfold.admin import TabularInline
from unfold.decorators import display

from interviews.admin import querysets
from interviews.admin.base import STATUS_BADGES, FieldworkAdmin, RecordedAdmin, session_link
from interviews.exports.pseudonyms import pseudonym
from interviews.models import Invitation, Participant, Session
from plans.admin.base import TeamRows
from plans.bots.teams import team_keys, visible

NAMES_SEEN = "Saw participants’ names."


class SessionsOfParticipant(TeamRows, TabularInline):
    model = Session
    fields = ["interview", "badge", "done", "minutes", "started_at"]
    readonly_fields = fields
    ordering = ["-started_at"]
    extra = 0
    hide_title = True
    can_delete = False
    verbose_name_plural = "interviews"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Session]:
        sessions: QuerySet[Session] = super().get_queryset(request)
        return querysets.annotate_sessions(sessions, with_names=True)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @display(description="Interview")
    def interview(self, session: Session) -> str:
        return session_link(session, session.title)

    @display(description="Status", label=STATUS_BADGES)
    def badge(self, session: Session) -> str:
        return session.get_status_display()

    @display(description="Progress")
    def done(self, session: Session) -> str:
        return querysets.progress(session)

    @display(description="Minutes")
    def minutes(self, session: Session) -> int:
        return querysets.minutes(session)


@admin.register(Participant)
class ParticipantAdmin(RecordedAdmin, FieldworkAdmin):
    list_display = ["__str__", "pseudonym_shown", "held_shown", "created_at"]
    fields = ["name", "pseudonym_shown", "created_at"]
    readonly_fields = fields
    search_fields = ["name"]
    search_help_text = "Searches names"
    date_hierarchy = "created_at"
    inlines = [SessionsOfParticipant]
    how_to_begin = "Anyone who starts an interview appears here, with the name they gave."

    def get_queryset(self, request: HttpRequest) -> QuerySet[Participant]:
        participants: QuerySet[Participant] = super().get_queryset(request)
        if team_keys(request.user) is not None:
            held = visible(Session.objects.all(), request.user)
            invited = visible(Invitation.objects.all(), request.user)
            theirs = held.values("participant"), invited.values("participant")
            participants = participants.filter(Q(pk__in=theirs[0]) | Q(pk__in=theirs[1]))
        sessions = visible(Session.objects.all(), request.user)
        sessions = sessions.filter(participant=OuterRef("pk")).order_by()
        counts = sessions.values("participant").annotate(count=Count("pk")).values("count")
        return participants.annotate(held=Subquery(counts, output_field=IntegerField()))

    def seen(self, request: HttpRequest) -> str:
        return NAMES_SEEN

    @display(description="Pseudonym in exports")
    def pseudonym_shown(self, participant: Participant) -> str:
        return pseudonym(participant.pk)

    @display(description="Interviews")
    def held_shown(self, participant: Participant) -> int:
        return getattr(participant, "held", None) or 0
