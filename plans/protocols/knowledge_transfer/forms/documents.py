"""Forms for documents, what was found in them, and what they say together."""

from typing import Any

from django import forms
from unfold.widgets import (
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from plans.documents import limits
from plans.forms.fields import ShortLines, TidyText
from plans.models import Document
from plans.protocols.knowledge_transfer.analysis.deep_dive import LISTS, LONGEST_PURPOSE
from plans.protocols.knowledge_transfer.analysis.drafts import LONGEST_SUMMARY
from plans.protocols.knowledge_transfer.analysis.statements import LONGEST_ITEM, MOST_ITEMS
from plans.protocols.knowledge_transfer.content import dive_of

WORDS = {
    "decisions": ("Decisions", "What was decided, and why where it says so."),
    "formulas": ("Formulas", "How something is calculated."),
    "thresholds": ("Thresholds", "Numbers from which something is done differently."),
    "people": ("People", "Who does, knows or decides what."),
    "gaps": ("Gaps", "What it doesn't say. Questions come from here."),
}


class PasteForm(forms.Form):
    """Text that becomes a document."""

    name = forms.CharField(
        required=False,
        max_length=limits.NAME_CHARACTERS,
        widget=UnfoldAdminTextInputWidget(),
        help_text="As a file would be called: “notes on prices”.",
    )
    text = forms.CharField(
        strip=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 10}),
        error_messages={"required": "There is no text."},
    )


def statements(name: str) -> ShortLines:
    """The form field of one list of a deep dive: short statements, one a line."""
    label, why = WORDS[name]
    return ShortLines(
        most=MOST_ITEMS,
        longest=LONGEST_ITEM,
        label=label,
        required=False,
        help_text=f"{why} One a line.",
    )


class DiveForm(forms.ModelForm):  # type: ignore[type-arg]
    """What a document comes to."""

    purpose = TidyText(
        required=False,
        max_length=LONGEST_PURPOSE,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text="What it is for, in a sentence or two.",
    )
    decisions = statements("decisions")
    formulas = statements("formulas")
    thresholds = statements("thresholds")
    people = statements("people")
    gaps = statements("gaps")

    class Meta:
        model = Document
        fields: list[str] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dive = dive_of(self.instance)
        self.initial.update({name: getattr(dive, name) for name in ("purpose", *LISTS)})

    def dive(self) -> dict[str, Any]:
        """What the valid form says."""
        return {name: self.cleaned_data[name] for name in ("purpose", *LISTS)}


class SummaryForm(forms.Form):
    """The summary of all documents."""

    summary = TidyText(
        required=False,
        max_length=LONGEST_SUMMARY,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 18, "spellcheck": "true"}),
        help_text="In Markdown: ## before a heading, - before a point, **bold**. The interviewer "
        "reads it before every question.",
    )
