import hashlib
import json
from typing import Any

from django import forms
from django.forms import inlineformset_factory
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from plans.documents import limits
from plans.forms.fields import Lines, ShortLines, TidyText
from plans.forms.rows import ChangesForm, KeyedForm, KeyedFormSet, SeenForm
from plans.models import BacklogQuestion, Bot, ProjectContext
from plans.models.knowledge import MOST_QUESTIONS
from plans.portability.keys import make_own_key
from plans.protocols.knowledge_transfer.analysis.deep_dive import LISTS, LONGEST_PURPOSE
from plans.protocols.knowledge_transfer.analysis.drafts import LONGEST_SUMMARY
from plans.protocols.knowledge_transfer.analysis.statements import LONGEST_ITEM, MOST_ITEMS
from plans.protocols.knowledge_transfer.backlog import add_questions, find_sources
from plans.protocols.knowledge_transfer.content import dive_of
from plans.text import tidy

REWRITTEN = (
    "It has been changed since you opened it, by somebody or from the documents. Your version is "
    "below, so nothing is lost. Open this page in another tab to see the other one. If you save "
    "again, your version replaces it."
)


class PasteForm(forms.Form):
    name = forms.CharField(
        required=False,
        max_length=limits.NAME_CHARACTERS,
        widget=UnfoldAdminTextInputWidget(),
        help_text="Like a file name: “notes on prices”.",
    )
    text = forms.CharField(
        strip=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 10}),
        error_messages={"required": "Enter some text."},
    )


def _list_field(label: str, help_text: str) -> ShortLines:
    return ShortLines(
        most=MOST_ITEMS,
        longest=LONGEST_ITEM,
        label=label,
        required=False,
        help_text=f"{help_text} One per line.",
    )


class WrittenForm(SeenForm):
    """Texts that a background job may write too."""

    meanwhile = REWRITTEN
    stored: Any  # returns the texts as they are stored, by field

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.update(self.stored())

    def version(self) -> str:
        return hashlib.sha256(json.dumps(self.stored()).encode()).hexdigest()


class DiveForm(WrittenForm):
    purpose = TidyText(
        required=False,
        max_length=LONGEST_PURPOSE,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text="What the document is for, in a sentence or two.",
    )
    decisions = _list_field("Decisions", "What was decided, and why, if the document says so.")
    formulas = _list_field("Formulas", "How something is calculated.")
    thresholds = _list_field("Thresholds", "Numbers at which something is done differently.")
    people = _list_field("People", "Who does, knows or decides what.")
    gaps = _list_field("Gaps", "What the document doesn't say. Questions come from here.")

    def stored(self) -> dict[str, Any]:
        dive = dive_of(self.instance)
        return {name: getattr(dive, name) for name in ("purpose", *LISTS)}

    def dive(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("purpose", *LISTS)}


class SummaryForm(WrittenForm):
    summary = TidyText(
        required=False,
        max_length=LONGEST_SUMMARY,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 18, "spellcheck": "true"}),
        help_text="In Markdown: ## before a heading, - before a list item, **bold**. The "
        "interviewer reads it before every question.",
    )

    class Meta:
        model = ProjectContext
        fields: list[str] = []

    def stored(self) -> dict[str, Any]:
        return {"summary": tidy(str(self.instance.content.get("summary", "")))}


LONGEST = BacklogQuestion._meta.get_field("text").max_length or 0


class OneLine(forms.CharField):
    """Text in a growing area, saved as one line."""

    widget = forms.Textarea(attrs={"rows": 1, "class": "backlog-area"})

    def to_python(self, value: Any) -> str:
        return " ".join(tidy(super().to_python(value) or "").split())


class BacklogForm(ChangesForm, KeyedForm):
    priority = forms.ChoiceField(choices=[(p, p) for p in BacklogQuestion.Priority.values])
    text = OneLine(max_length=LONGEST)
    why = OneLine(max_length=LONGEST, required=False)

    class Meta:
        model = BacklogQuestion
        fields = ["text", "why", "priority", "key", "position"]
        widgets = {"position": forms.HiddenInput(), "key": forms.TextInput()}


class BacklogFormSet(KeyedFormSet):
    """A bot's existing questions; new ones come through NewQuestionsForm."""

    source = "text"
    stem = "q"
    make = staticmethod(make_own_key)

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        gone = "Somebody has deleted this question. Copy what you need and reload the page."
        form.fields["id"].error_messages["invalid_choice"] = gone

    def save(self, commit: bool = True) -> Any:
        """Save the changes, and find sources for changed questions that have none."""
        saved = super().save(commit)
        find_sources(question for question, _ in self.changed_objects)
        return saved


BacklogRows = inlineformset_factory(
    Bot, BacklogQuestion, form=BacklogForm, formset=BacklogFormSet, extra=0, can_delete=True
)


class NewQuestionsForm(forms.Form):
    more = Lines(required=False)

    def __init__(self, *args: Any, bot: Bot, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.bot = bot

    def clean_more(self) -> list[str]:
        lines: list[str] = [" ".join(line.split()) for line in self.cleaned_data["more"]]
        for number, line in enumerate(lines, 1):
            if len(line) > LONGEST:
                raise forms.ValidationError(f"Line {number} is longer than {LONGEST} characters.")
        if lines and self.bot.backlog.count() + len(lines) > MOST_QUESTIONS:
            raise forms.ValidationError(f"A backlog can have at most {MOST_QUESTIONS} questions.")
        return lines

    def save(self) -> int:
        """Add the questions and return how many were new."""
        return add_questions(self.bot, self.cleaned_data["more"])
