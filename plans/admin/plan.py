"""The admin of plans, read-only because interviews are bound to them."""

from django.contrib import admin
from django.http import HttpRequest
from unfold.decorators import display

from plans.admin.base import ReadOnlyAdmin
from plans.admin.pages import outline_of
from plans.models import Plan
from plans.protocols import readable


@admin.register(Plan)
class PlanAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "bot", "number", "short_signature", "created_at"]
    list_filter = ["protocol"]
    search_fields = ["bot__title", "bot__slug", "signature"]
    search_help_text = "Bot, signature"
    fields = ["bot", "number", "created_at", "signature", "outline"]
    readonly_fields = fields
    how_to_begin = "A plan is created automatically when the first interview with a bot starts."

    def has_module_permission(self, request: HttpRequest) -> bool:
        return False

    @display(description="Signature", ordering="signature")
    def short_signature(self, plan: Plan) -> str:
        return plan.signature[:12]

    @display(description="Content")
    def outline(self, plan: Plan) -> str:
        return outline_of(readable(plan.protocol, plan.content))
