from typing import Any, ClassVar

from django import forms
from unfold.forms import BaseDialogForm
from unfold.widgets import UnfoldAdminTextInputWidget

from plans.protocols.laddering.duplicate import free_ladder_key, ladder_copy_name
from plans.protocols.laddering.files import CONCEPT, METHODOLOGY, LadderKind

DESCRIPTION = "Makes a copy of the whole text, remarks included. No bot uses it yet."


class CopyLadderForm(BaseDialogForm):
    kind: ClassVar[LadderKind]

    key = forms.SlugField(
        label="Id",
        max_length=60,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Latin letters, digits, - and _. Files are told apart by it.",
    )
    name = forms.CharField(
        max_length=200, widget=UnfoldAdminTextInputWidget(), help_text="For you and colleagues."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        row = self.kind.model._default_manager.filter(pk=self.object_id).first()
        if row:
            self.fields["key"].initial = free_ladder_key(row)
            self.fields["name"].initial = ladder_copy_name(row)

    def clean_key(self) -> str:
        key = str(self.cleaned_data["key"])
        if self.kind.model._default_manager.filter(key=key).exists():
            raise forms.ValidationError(f"There is a {self.kind.name} of that id already.")
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
