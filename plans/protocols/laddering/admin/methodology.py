from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from unfold.decorators import display

from plans.bots.teams import is_shared
from plans.models import LadderMethodology
from plans.protocols.laddering.admin.duplicate import duplicate_action
from plans.protocols.laddering.admin.file_admin import LadderAdmin
from plans.protocols.laddering.files import METHODOLOGY, content_of
from plans.protocols.laddering.forms import MethodologyForm


@admin.register(LadderMethodology)
class LadderMethodologyAdmin(LadderAdmin):
    kind = METHODOLOGY
    duplicate = duplicate_action(METHODOLOGY)
    form = MethodologyForm
    list_display = ["name", "id_of", "strategies", "used_by", "saved"]
    how_to_begin = (
        "A methodology says how an interview explores: the rungs of a ladder, the ways of asking, "
        "and when each is chosen. Add one, which starts as a small example, or import a file."
    )

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse changes of what isn't the team's own. Unfold passes a key for an action."""
        allowed = super().has_change_permission(request, obj)
        row = self.get_object(request, str(obj)) if isinstance(obj, int | str) else obj
        return bool(allowed and not (row and is_shared(row, request.user)))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        allowed = super().has_delete_permission(request, obj)
        return bool(allowed and not (obj and is_shared(obj, request.user)))

    @display(description="Strategies", empty_value="can't be read")
    def strategies(self, row: LadderMethodology) -> int | None:
        content: Any = content_of(row)
        return len(content.strategies) if content else None
