from typing import Any, ClassVar

from django import forms
from unfold.forms import BaseDialogForm
from unfold.widgets import UnfoldAdminTextInputWidget

from plans.admin.base import by_key
from plans.bots.teams import visible
from plans.protocols.laddering.duplicate import free_ladder_key, ladder_copy_name
from plans.protocols.laddering.files import CONCEPT, METHODOLOGY, LadderKind

DESCRIPTION = "Copies the whole text, including comments. No bot uses it yet."


class CopyLadderForm(BaseDialogForm):
    kind: ClassVar[LadderKind]

    key = forms.SlugField(
        label="ID",
        max_length=60,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Latin letters, digits, - and _. The ID tells files apart.",
    )
    name = forms.CharField(
        max_length=200, widget=UnfoldAdminTextInputWidget(), help_text="For you and your team."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rows = visible(self.kind.model._default_manager.all(), self.request.user)
        row = by_key(rows, self.object_id).first()
        if row:
            self.fields["key"].initial = free_ladder_key(row)
            self.fields["name"].initial = ladder_copy_name(row)

    def clean_key(self) -> str:
        key = str(self.cleaned_data["key"])
        if self.kind.model._default_manager.filter(key=key).exists():
            raise forms.ValidationError(f"There is already a {self.kind.name} with that ID.")
        return key


class CopyConceptForm(CopyLadderForm):
    kind = CONCEPT


class CopyMethodologyForm(CopyLadderForm):
    kind = METHODOLOGY


def copy_dialog(form: type[CopyLadderForm]) -> dict[str, Any]:
    return {
        "title": f"Duplicate this {form.kind.name}",
        "description": DESCRIPTION,
        "form_class": form,
        "form_submit_text": "Duplicate",
    }
