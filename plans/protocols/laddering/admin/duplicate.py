from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from unfold.decorators import action
from unfold.widgets import UnfoldAdminTextInputWidget

from plans.admin.dialogs import CopyForm, dialog, go
from plans.portability.problems import BrokenDocument
from plans.protocols.laddering.duplicate import duplicate_ladder, free_ladder_key, ladder_copy_name
from plans.protocols.laddering.files import LadderKind

DESCRIPTION = "Copies the whole text, including comments. No bot uses it yet."


class CopyLadderForm(CopyForm):
    key = forms.SlugField(
        label="ID",
        max_length=60,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Latin letters, digits, - and _. The ID tells files apart.",
    )
    name = forms.CharField(
        max_length=200, widget=UnfoldAdminTextInputWidget(), help_text="For you and your team."
    )

    suggested = {"key": free_ladder_key, "name": ladder_copy_name}

    def clean_key(self) -> str:
        key = str(self.cleaned_data["key"])
        if self.model._default_manager.filter(key=key).exists():
            name = self.model._meta.verbose_name
            raise forms.ValidationError(f"There is already a {name} with that ID.")
        return key


def duplicate_action(kind: LadderKind) -> Any:
    form = type("CopyLadderForm", (CopyLadderForm,), {"model": kind.model})
    asks = dialog(f"Duplicate this {kind.name}", DESCRIPTION, "Duplicate", form)

    @action(description="Duplicate", icon="content_copy", permissions=["add"], dialog=asks)
    def duplicate(
        admin: Any, request: HttpRequest, form: CopyLadderForm, object_id: str
    ) -> HttpResponse:
        row = admin.row(request, object_id)
        try:
            copy = duplicate_ladder(row, form.cleaned_data["key"], form.cleaned_data["name"])
        except BrokenDocument as error:
            messages.error(request, f"“{row}” can't be read: {error.problems[0]}.")
            return go(request, admin.change_url(row))
        messages.success(request, f"This is the copy, “{copy}”. The original is unchanged.")
        return go(request, admin.change_url(copy))

    return duplicate
