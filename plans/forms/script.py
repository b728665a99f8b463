"""Forms for sections and questions."""

from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminSelectWidget

from plans.forms.rows import KeyedForm, KeyedFormSet, after
from plans.models import Question, Section

SECTION_HELP = {
    "title": "For you, in the preview and in exports. Only where sections are topics is it said."
}


class SectionForm(forms.ModelForm):  # type: ignore[type-arg]
    """A section on its own page."""

    class Meta:
        model = Section
        fields = ["title", "key"]
        help_texts = SECTION_HELP


class SectionRowForm(KeyedForm):
    """A section in the list of its script's."""

    class Meta:
        model = Section
        fields = ["title", "key", "position"]
        help_texts = SECTION_HELP


class QuestionForm(KeyedForm):
    """A question, which can also be sent to another section."""

    move_to = forms.TypedChoiceField(
        label="Section",
        required=False,
        coerce=int,
        empty_value=None,
        help_text="Choose another section to move the question there, to its end.",
        widget=UnfoldAdminSelectWidget(),
    )

    class Meta:
        model = Question
        fields = ["text", "objective", "guidance", "block_seconds", "key", "position"]
        help_texts = {
            "guidance": "How to ask, what to listen for, what to leave alone. In an assessment: "
            "what a good answer holds."
        }


class SectionFormSet(KeyedFormSet):
    """The sections of a script."""

    stem = "section"


class QuestionFormSet(KeyedFormSet):
    """The questions of a section."""

    source = "text"
    stem = "q"

    def add_fields(self, form: Any, index: int | None) -> None:
        """Offers the script's other sections to move a question to."""
        super().add_fields(form, index)
        if "move_to" in form.fields:
            form.fields["move_to"].choices = self._sections()

    def _sections(self) -> list[tuple[Any, str]]:
        if not hasattr(self, "_offered"):
            here = self.instance
            others = Section.objects.filter(script_id=here.script_id).exclude(pk=here.pk)
            self._offered = [("", f"{here.title} (stays here)"), *others.values_list("pk", "title")]
        return self._offered

    def clean(self) -> None:
        """Sends questions to the sections chosen for them."""
        super().clean()
        for form in [f for f in self.staying() if f.cleaned_data.get("move_to")]:
            self._move(form, form.cleaned_data["move_to"])

    def _move(self, form: Any, target: int) -> None:
        there = Question.objects.filter(section_id=target)
        if there.filter(key=form.instance.key).exists():
            form.add_error("key", "The other section has a question with this key; change it.")
            return
        form.instance.section_id = target
        form.instance.position = after(there.values_list("position", flat=True))
