from typing import Any

from django import forms
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from plans.forms.fields import TidyText
from plans.models.script import validate_language
from plans.portability.decoder import LIMIT, decode
from plans.portability.problems import broken

FORMATS = [("", "Detect automatically"), ("yaml", "YAML"), ("json", "JSON"), ("csv", "CSV")]


class ImportForm(forms.Form):
    file = forms.FileField(
        required=False,
        help_text="YAML, JSON or CSV in UTF-8, up to 2 MB.",
        widget=UnfoldAdminFileFieldWidget(),
    )
    text = forms.CharField(
        label="Or paste it",
        required=False,
        strip=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 12, "spellcheck": "false"}),
    )
    format = forms.ChoiceField(
        required=False,
        choices=FORMATS,
        help_text="Choose one if the file isn't recognised.",
        widget=UnfoldAdminSelectWidget(),
    )

    head: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()  # fields that the preview passes on

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        upload = cleaned.get("file")
        if not upload and not cleaned.get("text", "").strip():
            raise forms.ValidationError("Choose a file or paste its text.")
        cleaned["filename"] = getattr(upload, "name", "")
        return cleaned

    def content(self) -> str:
        """Return the file's text or the pasted one. Raises BrokenDocument."""
        upload = self.cleaned_data.get("file")
        if not upload:
            return str(self.cleaned_data["text"])
        if upload.size > LIMIT:
            raise broken("The file is larger than 2 MB. Studies are far smaller.")
        upload.seek(0)  # it may have been read before
        return decode(upload.read())


class TopicsImportForm(ImportForm):
    format = None  # type: ignore[assignment]  # there is only one
    file = forms.FileField(
        required=False, help_text="CSV in UTF-8, up to 2 MB.", widget=UnfoldAdminFileFieldWidget()
    )


class BacklogImportForm(ImportForm):
    replace = forms.BooleanField(
        label="Delete questions that are not in the file",
        required=False,
        help_text="If off, they stay, after those in the file.",
        widget=UnfoldBooleanSwitchWidget(),
    )

    carried = ("replace",)


class NewScriptImportForm(ImportForm):
    name = forms.CharField(required=False, max_length=200, widget=UnfoldAdminTextInputWidget())
    language = forms.CharField(
        required=False,
        max_length=12,
        validators=[validate_language],
        widget=UnfoldAdminTextInputWidget(),
        help_text="A language tag such as en or ru.",
    )
    intro = TidyText(required=False, help_text="What is said first.")
    outro = TidyText(required=False, help_text="What is said last.")

    head = ("name", "language", "intro", "outro")
