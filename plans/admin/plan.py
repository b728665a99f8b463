"""The admin of plans: to read only, since a plan is what interviews were bound to."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.template.loader import render_to_string
from unfold.decorators import display

from plans.admin.base import StudyAdmin
from plans.models import Plan
from plans.protocols import readable


@admin.register(Plan)
class PlanAdmin(StudyAdmin):
    """Plans, each the state of a bot at one moment."""

    list_display = ["__str__", "bot", "number", "short_signature", "created_at"]
    list_filter = ["protocol"]
    search_fields = ["bot__title", "bot__slug", "signature"]
    fields = ["bot", "number", "created_at", "signature", "outline"]
    readonly_fields = fields
    warn_unsaved_form = False
    how_to_begin = "A plan is made by itself when the first interview with a bot begins."

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Not in the navigation: plans are found at their bot."""
        return False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Plans are compiled, never written."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Interviews stand on them."""
        return False

    @display(description="Signature", ordering="signature")
    def short_signature(self, plan: Plan) -> str:
        """Enough of it to tell two apart."""
        return plan.signature[:12]

    @display(description="Content")
    def outline(self, plan: Plan) -> str:
        """Everything in it, readable."""
        value = readable(plan.protocol, plan.content)
        return render_to_string("admin/plans/plan/outline.html", {"value": value})
