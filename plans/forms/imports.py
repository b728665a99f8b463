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
from plans.portability.decoder import LIMIT, decode, encoding_of
from plans.portability.problems import broken

OLDER = {"cp1252": "Windows-1252", "cp1251": "Windows-1251"}
FORMATS = [("", "Detect automatically"), ("yaml", "YAML"), ("json", "JSON"), ("csv", "CSV")]


class ImportForm(forms.Form):
    file = forms.FileField(required=False, widget=UnfoldAdminFileFieldWidget())
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

    kinds = "YAML, JSON or CSV"  # of files
    head: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()  # fields that the preview passes on

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].help_text = f"{self.kinds}, up to 2 MB."

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        upload = cleaned.get("file")
        if not upload and not cleaned.get("text", "").strip():
            raise forms.ValidationError("Choose a file or paste its text.")
        cleaned["filename"] = getattr(upload, "name", "")
        return cleaned

    @property
    def assumed(self) -> str:
        """Return the older encoding that the file was read in, or empty for UTF-8."""
        upload = self.cleaned_data.get("file")
        if not upload:
            return ""
        upload.seek(0)
        return OLDER.get(encoding_of(upload.read(LIMIT)), "")

    def content(self) -> str:
        """Return the file's text or the pasted one. Raises BrokenDocument."""
        upload = self.cleaned_data.get("file")
        if not upload:
            return str(self.cleaned_data["text"])
        if upload.size > LIMIT:
            raise broken("The file is larger than 2 MB. Studies are far smaller.")
        upload.seek(0)  # it may have been read before
        return decode(upload.read())


class RowsImportForm(ImportForm):
    replace = forms.BooleanField(
        label="Delete what is not in the file",
        required=False,
        help_text="If off, it stays, after what is in the file.",
        widget=UnfoldBooleanSwitchWidget(),
    )

    carried = ("replace",)


class TopicsImportForm(RowsImportForm):
    format = None  # type: ignore[assignment]  # there is only one
    kinds = "CSV"


class NewScriptImportForm(RowsImportForm):
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
