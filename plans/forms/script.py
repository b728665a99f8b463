from typing import Any

from django import forms
from django.utils.functional import cached_property
from unfold.widgets import UnfoldAdminSelectWidget

from plans.forms.rows import KeyedForm, KeyedFormSet, next_position
from plans.models import Question, Section

SECTION_HELP = {
    "title": "For you, in the preview and in exports. It is only said where sections are topics."
}


class SectionForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Section
        fields = ["title", "key"]
        help_texts = SECTION_HELP


class SectionRowForm(KeyedForm):
    class Meta:
        model = Section
        fields = ["title", "key", "position"]
        help_texts = SECTION_HELP


class QuestionForm(KeyedForm):
    move_to = forms.TypedChoiceField(
        label="Section",
        required=False,
        coerce=int,
        empty_value=None,
        help_text="Choose another section to move the question to its end.",
        widget=UnfoldAdminSelectWidget(),
    )

    class Meta:
        model = Question
        fields = ["text", "objective", "guidance", "probes", "block_seconds", "key", "position"]
        help_texts = {
            "guidance": "How to ask, what to listen for, what to leave alone. In an assessment: "
            "what a good answer contains."
        }


class SectionFormSet(KeyedFormSet):
    stem = "section"


class QuestionFormSet(KeyedFormSet):
    source = "text"
    stem = "q"

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        if "move_to" in form.fields:
            form.fields["move_to"].choices = self._section_choices

    @cached_property
    def _section_choices(self) -> list[tuple[Any, str]]:
        here = self.instance
        others = Section.objects.filter(script_id=here.script_id).exclude(pk=here.pk)
        return [("", f"{here.title} (stays here)"), *others.values_list("pk", "title")]

    def clean(self) -> None:
        super().clean()
        for form in self.staying():
            if target := form.cleaned_data.get("move_to"):
                self._move_question(form, target)

    def _move_question(self, form: Any, target: int) -> None:
        there = Question.objects.filter(section_id=target)
        if there.filter(key=form.instance.key).exists():
            form.add_error("key", "The other section has this key already. Change it.")
            return
        form.instance.section_id = target
        form.instance.position = next_position(there.values_list("position", flat=True))
