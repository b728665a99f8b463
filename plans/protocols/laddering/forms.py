import hashlib
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminTextareaWidget

from plans.forms.imports import ImportForm
from plans.portability.problems import BrokenDocument, Problem
from plans.protocols.laddering.files import LadderKind, kind_of, read_file

LINES = 30
MEANWHILE = (
    "Somebody else has saved it since you opened it. Your version is below, so nothing is lost. "
    "See under History what they changed. If you save again, your version replaces theirs."
)


class LadderForm(forms.ModelForm):  # type: ignore[type-arg]  # of concepts or of methodologies
    """The text of a file, saved only if it is readable; it contains its own id and name."""

    source = forms.CharField(
        label="Text",
        strip=False,
        help_text="YAML or JSON. Lines that start with # are comments for you and your colleagues.",
        widget=UnfoldAdminTextareaWidget(
            attrs={
                "rows": LINES,
                "spellcheck": "false",
                "autocapitalize": "off",
                "autocomplete": "off",
                "wrap": "off",
                "dir": "ltr",
            }
        ),
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput())

    class Meta:
        fields = ["source"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.problems: list[Problem] = []
        self.fields["seen"].initial = _digest(self.instance.source)

    @property
    def kind(self) -> LadderKind:
        return kind_of(self.instance)

    def clean_source(self) -> str:
        """Return the text to save, and set id and name from it; on errors fill `problems`."""
        try:
            document = read_file(self.kind, self.cleaned_data["source"], row=self.instance)
        except BrokenDocument as error:
            self.problems = error.problems
            count = len(error.problems)
            things = "1 problem" if count == 1 else f"{count} problems"
            raise forms.ValidationError(f"Nothing was saved. Fix {things} first.") from error
        self.instance.key, self.instance.name = document.content.id, document.content.name
        return str(document.source)

    def clean_seen(self) -> str:
        """Warn if somebody else has saved the row since the form was opened."""
        stored = type(self.instance)._default_manager.filter(pk=self.instance.pk).first()
        current = _digest(stored.source) if stored else ""
        if stored and self.cleaned_data["seen"] not in ("", current):
            self.data = {name: self.data.get(name) for name in self.data} | {"seen": current}
            self.add_error(None, MEANWHILE)
        return current


def _digest(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()[:32] if source else ""


class LadderImportForm(ImportForm):
    format = None  # type: ignore[assignment]  # it is plain from the text
    file = forms.FileField(
        required=False,
        help_text="YAML or JSON in UTF-8, up to 2 MB.",
        widget=UnfoldAdminFileFieldWidget(),
    )
