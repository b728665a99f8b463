from typing import Any

from django.contrib import admin
from unfold.decorators import display

from plans.models import LadderConcept
from plans.protocols.laddering.admin.duplicate import duplicate_action
from plans.protocols.laddering.admin.file_admin import LadderAdmin
from plans.protocols.laddering.files import CONCEPT, content_of
from plans.protocols.laddering.forms import ConceptForm


@admin.register(LadderConcept)
class LadderConceptAdmin(LadderAdmin):
    kind = CONCEPT
    duplicate = duplicate_action(CONCEPT)
    form = ConceptForm
    list_display = ["name", "id_of", "elements", "used_by", "saved"]
    how_to_begin = (
        "A concept says what an interview explores: a topic, what is believed about it, and the "
        "elements to reach. Add one, or import a file."
    )

    @display(description="Elements", empty_value="can't be read")
    def elements(self, row: LadderConcept) -> int | None:
        content: Any = content_of(row)
        return len(content.elements) if content else None
