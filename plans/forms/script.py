"""A whole script as one form: its sections, and the questions of all of them."""

import re
from collections import defaultdict
from typing import Any

from django import forms
from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.forms import BaseModelFormSet, modelformset_factory
from django.utils.functional import cached_property

from plans.forms.fields import TidyText
from plans.forms.rows import KeyedForm, KeyedFormSet, SeenForm, fill_keys, staying
from plans.models import Question, Script, Section
from plans.models.script import DEFAULT_BLOCK_SECONDS

SHORTEST, LONGEST = 30, 7200  # seconds of one question
PLAIN = {"class": "study-area"}  # the theme's widgets are long, and here are hundreds
GONE = "Somebody else has deleted this. Copy what you need into a new row, and delete it here too."
WRITTEN = re.compile(r"(\d{1,3})(?::([0-5]\d))?")


class Minutes(forms.CharField):
    """A number of seconds, written in minutes: 5, or 1:30."""

    def prepare_value(self, value: Any) -> Any:
        return f"{value // 60}:{value % 60:02}".removesuffix(":00") if type(value) is int else value

    def to_python(self, value: Any) -> Any:
        text = str(super().to_python(value))
        if not text:
            return text
        if not (written := WRITTEN.fullmatch(text)):
            raise forms.ValidationError("Write minutes, such as 5 or 1:30.")
        seconds = 60 * int(written[1]) + int(written[2] or 0)
        if not SHORTEST <= seconds <= LONGEST:
            raise forms.ValidationError("A question takes from 0:30 to 120 minutes.")
        return seconds


class ScriptForm(SeenForm):
    def records(self) -> list[QuerySet[Any]]:
        sections = Section.history.filter(script_id=self.instance.pk)
        questions = Question.history.filter(section_id__in=sections.values("id"))
        return [Script.history.filter(id=self.instance.pk), sections, questions]


class SectionRowForm(KeyedForm):
    class Meta:
        model = Section
        fields = ["title", "key", "position"]
        widgets = {
            "title": forms.TextInput(attrs=PLAIN | {"placeholder": "Title of the section"}),
            "key": forms.TextInput(attrs=PLAIN),
            "position": forms.HiddenInput(),
        }
        help_texts = {"title": ""}


class QuestionForm(KeyedForm):
    home = forms.IntegerField(min_value=0, widget=forms.HiddenInput())  # its section's row
    block_seconds = Minutes(
        label="Minutes", initial=DEFAULT_BLOCK_SECONDS, widget=forms.TextInput(attrs=PLAIN)
    )

    class Meta:
        model = Question
        fields = ["text", "objective", "guidance", "probes", "block_seconds", "key", "position"]
        texts = fields[:4]
        field_classes = dict.fromkeys(texts, TidyText)
        widgets = {
            **{name: forms.Textarea(attrs=PLAIN | {"rows": 1}) for name in texts},
            "text": forms.Textarea(attrs=PLAIN | {"rows": 1, "placeholder": "Question"}),
            "key": forms.TextInput(attrs=PLAIN),
            "position": forms.HiddenInput(),
        }
        help_texts = {
            "text": "",
            "guidance": "How to ask, what to listen for, what to leave alone. In an assessment: "
            "what a good answer contains.",
        }

    def _get_validation_exclusions(self) -> set[str]:
        """Leave the minutes to their field, else the database is asked about every row's."""
        exclusions: set[str] = super()._get_validation_exclusions()  # type: ignore[misc]
        return exclusions | {"block_seconds"}


class Questions(BaseModelFormSet):  # type: ignore[type-arg]
    """All questions of a script. Each names the row of its section in `sections`."""

    def __init__(self, sections: "SectionFormSet") -> None:
        self.sections = sections
        rows = Question.objects.filter(section__script=sections.instance.pk)
        rows = rows.order_by("section__position", "section_id", "position", "id")
        data = sections.data if sections.is_bound else None
        super().__init__(data, prefix="questions", queryset=rows)

    @cached_property
    def _homes(self) -> dict[int, int]:
        return {form.instance.pk: i for i, form in enumerate(self.sections.initial_forms)}

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        form.fields["id"].error_messages["invalid_choice"] = GONE
        form.fields["home"].initial = self._homes.get(form.instance.section_id)

    def _section_of(self, form: Any) -> Any:
        """Return the form of a question's section, or None."""
        home = form.cleaned_data.get("home")
        return self.sections.forms[home] if home in range(len(self.sections.forms)) else None

    def _should_delete_form(self, form: Any) -> bool:
        section = self._section_of(form)
        gone = section is not None and self.sections._should_delete_form(section)
        return bool(gone or form.cleaned_data.get("DELETE"))

    def clean(self) -> None:
        super().clean()
        homes = defaultdict(list)
        for form in staying(self):
            if self._section_of(form) is None:
                form.add_error("text", "This question is in no section. Move it to one.")
            else:
                homes[form.cleaned_data["home"]].append(form)
        for rows in homes.values():
            fill_keys(rows, "text", "q")
            keys = [form.instance.key for form in rows]
            for form in rows:
                if keys.count(form.instance.key) > 1:
                    form.add_error("key", "Two questions of this section have this key.")

    def save_new(self, form: Any, commit: bool = True) -> Any:
        form.instance.section = self._section_of(form).instance
        return super().save_new(form, commit)

    def save_existing(self, form: Any, obj: Any, commit: bool = True) -> Any:
        form.instance.section = self._section_of(form).instance
        return super().save_existing(form, obj, commit)


class SectionFormSet(KeyedFormSet):
    """The sections of a script, which bring their questions along."""

    stem = "section"

    def _construct_form(self, i: int, **kwargs: Any) -> Any:
        """A new section is never left out as empty: questions may stand in it."""
        return super()._construct_form(i, **kwargs | {"empty_permitted": False})

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        form.fields["id"].error_messages["invalid_choice"] = GONE

    @cached_property
    def questions(self) -> Any:
        made = modelformset_factory(
            Question, QuestionForm, formset=Questions, extra=0, can_delete=True, max_num=1000
        )
        return made(self)

    def parts(self) -> list[tuple[int, Any, list[Any]]]:
        """Return each section's row, form and questions' forms, in the order of the page."""
        homes = defaultdict(list)
        for form in sorted(self.questions.forms, key=_position):
            homes[str(form["home"].value())].append(form)
        parts = [(row, form, homes[str(row)]) for row, form in enumerate(self.forms)]
        return sorted(parts, key=lambda part: _position(part[1]))

    def place_new_rows(self) -> None:
        """Do nothing: the page says where a new section stands."""

    def clean(self) -> None:
        super().clean()
        if not self.questions.is_valid():
            raise forms.ValidationError("Nothing was saved. Fix the marked questions first.")

    def delete_existing(self, obj: Any, commit: bool = True) -> None:
        """Do nothing yet: `save` deletes a section once its questions have left it."""

    def save(self, commit: bool = True) -> Any:
        _free_keys(self)
        saved = super().save(commit)
        _free_keys(self.questions)
        saved += self.questions.save()
        for done in ("new_objects", "changed_objects", "deleted_objects"):
            getattr(self, done).extend(getattr(self.questions, done))
        for section in self.deleted_objects:
            if isinstance(section, Section):
                section.delete()
        return saved


def _position(form: Any) -> int:
    value = str(form["position"].value() or 0)
    return int(value) if value.isdecimal() else 0


def _free_keys(formset: Any) -> None:
    """Rename rows that leave their key, so that another row can take it in the same save."""
    leaving = [
        form.instance.pk
        for form in formset.initial_forms
        if {"key", "home", "DELETE"} & set(form.changed_data) or form in formset.deleted_forms
    ]
    rows = formset.model._default_manager.filter(pk__in=leaving)
    rows.update(key=Concat(Value("-"), Cast("pk", CharField()), output_field=CharField()))
