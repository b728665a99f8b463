"""The forms of concepts and methodologies: a file's text, or the file."""

import hashlib
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminTextareaWidget

from plans.forms.imports import ImportForm
from plans.portability.problems import BrokenDocument, Problem
from plans.protocols.laddering.files import LadderKind, kind_of, read_file

LINES = 30
MEANWHILE = (
    "Somebody else has saved it since you opened it. Nothing of yours is lost: it stands below. "
    "See under History what they changed; if you save again, yours takes its place."
)


class LadderForm(forms.ModelForm):  # type: ignore[type-arg]  # of concepts or of methodologies
    """The text of a file, which is stored only if it can be read. It gives id and name itself."""

    source = forms.CharField(
        label="Text",
        strip=False,
        help_text="YAML or JSON. Lines that begin with # are remarks, for you and colleagues.",
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
        self.fields["seen"].initial = _mark(self.instance.source)

    @property
    def sort(self) -> LadderKind:
        """What the file has to hold."""
        return kind_of(self.instance)

    def clean_source(self) -> str:
        """The text as it is kept; takes id and name from it. All problems are in `problems`."""
        try:
            document = read_file(self.sort, self.cleaned_data["source"], row=self.instance)
        except BrokenDocument as error:
            self.problems = error.problems
            count = len(error.problems)
            things = "one thing" if count == 1 else f"{count} things"
            raise forms.ValidationError(f"Nothing was saved. Mend {things} first.") from error
        self.instance.key, self.instance.name = document.content.id, document.content.name
        return str(document.source)

    def clean_seen(self) -> str:
        """Notices what somebody else has saved since the form was opened."""
        stored = type(self.instance)._default_manager.filter(pk=self.instance.pk).first()
        now = _mark(stored.source) if stored else ""
        if stored and self.cleaned_data["seen"] not in ("", now):
            self.data = {name: self.data.get(name) for name in self.data} | {"seen": now}
            self.add_error(None, MEANWHILE)
        return now


def _mark(source: str) -> str:
    """A short mark of a text, to see whether it is another one."""
    return hashlib.sha256(source.encode()).hexdigest()[:32] if source else ""


class LadderImportForm(ImportForm):
    """A file with a concept or a methodology."""

    format = None  # type: ignore[assignment]  # it is plain from the text
    file = forms.FileField(
        required=False,
        help_text="YAML or JSON in UTF-8, up to 2 MB.",
        widget=UnfoldAdminFileFieldWidget(),
    )
