import hashlib
import re
from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.utils.functional import cached_property
from ruamel.yaml.error import YAMLError
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from plans.forms.fields import Lines, TidyText
from plans.forms.imports import ImportForm
from plans.forms.rows import SeenForm
from plans.models.script import LANGUAGE_TAG
from plans.portability.keys import make_key
from plans.portability.problems import BrokenDocument, Problem
from plans.portability.tree import Loc, dotted
from plans.protocols.laddering.edits import edit_text, put
from plans.protocols.laddering.files import LadderKind, kind_of, plain_content, read_file
from plans.text import tidy

LINES = 30
MOST_ROWS = 60
FIX_ROWS = "Nothing was saved. Fix the marked rows first."
TAGGED = re.compile(rf"({LANGUAGE_TAG.strip('^$')}):\s*(.*)")
ROW_FIELD = re.compile(r"^(\w+)\[(\d+)\]\.(\w+)")


class ShownLines(Lines):
    """Lines that are unchanged as long as their text is."""

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(tidy(self.prepare_value(initial) or "") != tidy(data or ""))


class ByLanguage(ShownLines):
    """Texts by language, or several for each; a line without a language belongs to the last."""

    def __init__(self, *, several: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.several = several

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        texts = ((tag, [one] if isinstance(one, str) else one) for tag, one in value.items())
        return "\n".join(f"{tag}: {text}" for tag, several in texts for text in several)

    def to_python(self, value: Any) -> Any:
        texts: dict[str, list[str]] = {}
        for line in super().to_python(value):
            if tagged := TAGGED.fullmatch(line):
                texts.setdefault(tagged[1], []).append(tagged[tagged.re.groups])
                tag = tagged[1]
            elif texts:
                texts[tag][-1] += f"\n{line}"
            else:
                raise forms.ValidationError("Begin each line with its language, such as it: …")
        twice = [tag for tag, several in texts.items() if len(several) > 1 and not self.several]
        if twice:
            raise forms.ValidationError(f"“{twice[0]}” is there twice. Keep one.")
        return texts if self.several else {tag: several[0] for tag, several in texts.items()}


def _line(label: str, help_text: str = "", required: bool = True) -> forms.Field:
    widget = UnfoldAdminTextInputWidget()
    return forms.CharField(label=label, help_text=help_text, required=required, widget=widget)


def _text(label: str, help_text: str = "", required: bool = True) -> forms.Field:
    widget = UnfoldAdminTextareaWidget(attrs={"rows": 3})
    return TidyText(label=label, help_text=help_text, required=required, widget=widget)


def _languages(label: str, help_text: str = "", **kwargs: Any) -> forms.Field:
    help_text = f"{help_text} One per line, with its language: it: …".strip()
    return ByLanguage(label=label, help_text=help_text, **kwargs)


class ElementRow(forms.Form):
    label = _line("Element", "What the interview should reach, as people say it.")
    aliases = ShownLines(
        label="Other names", required=False, help_text="Words people use for it, one per line."
    )
    labels = _languages("In other languages", required=False)
    id = _line("ID", "Latin letters, digits, - and _. Empty: made from the name.", required=False)


class RungRow(forms.Form):
    name = _line("Rung")
    meaning = _text("Meaning")


class StrategyRow(forms.Form):
    name = _line("Strategy")
    description = _text("What the interviewer does", "The model reads it.")
    templates = _languages(
        "Questions without a model", "{focus} stands for what it asks about.", several=True
    )


class LadderForm(SeenForm):
    """A file as text and as a form. Whichever was changed is saved, as text.

    `places` are the form's fields with their places in the file, `rows_of` its lists.
    """

    places: ClassVar[Mapping[str, Loc]] = {}
    rows_of: ClassVar[Mapping[str, tuple[type[forms.Form], bool]]] = {}  # True: may grow, shrink
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
    shown = forms.CharField(required=False, widget=forms.HiddenInput())  # the text as it was sent

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.problems: list[Problem] = []
        field = self["source"]
        text = str(field.data if self.is_bound else field.initial or "").replace("\r\n", "\n")
        self.fields["shown"].initial = _digest(text)
        self.content = self._read(text) or self._read(self.instance.source)
        has_form = self.content and self.data.get("shown") == _digest(text)
        self.by_text = self.is_bound and not has_form
        if self.by_text:  # the form that is shown now was not made from the text
            data: Any = self.data
            self.data = data = data.copy()
            data["shown"] = ""
        for name, loc in self.places.items():
            self.initial[name] = _value_at(self.content, loc)
            if self.by_text:
                self.fields[name].disabled, self.fields[name].required = True, False

    @property
    def kind(self) -> LadderKind:
        return kind_of(self.instance)

    def _read(self, text: str) -> dict[str, Any]:
        try:
            return plain_content(self.kind.read(text, ""))
        except BrokenDocument:
            return {}

    @cached_property
    def rows(self) -> dict[str, Any]:
        """Return the lists' formsets by their names in the file."""
        data = self.data if self.is_bound and not self.by_text else None
        rows = {}
        for name, (row, grows) in self.rows_of.items():
            made = forms.formset_factory(row, extra=0, can_delete=grows, max_num=MOST_ROWS)
            rows[name] = made(data, initial=self.content.get(name, []), prefix=name)
        return rows

    def clean(self) -> dict[str, Any]:
        """Set the text to save, the id and the name from it."""
        cleaned = super().clean() or self.cleaned_data
        if not self.errors.keys() - {"__all__"} and (text := self._text(cleaned)):
            try:
                document = read_file(self.kind, text, row=self.instance)
            except BrokenDocument as error:
                self._refuse(error.problems)
            else:
                cleaned["source"] = document.source
                self.instance.key, self.instance.name = document.content.id, document.name
        return cleaned

    def _text(self, cleaned: Mapping[str, Any]) -> str:
        """Return the text to save, or an empty one if the form has errors."""
        source = str(cleaned["source"]).replace("\r\n", "\n")
        changed = [name for name in self.places if name in self.changed_data]
        rows = self.rows.values()
        self.by_text |= not changed and not any(one.has_changed() for one in rows)
        if self.by_text:
            return source
        if not all(one.is_valid() for one in rows):
            self.add_error(None, FIX_ROWS)
            return ""

        def edit(data: Any) -> None:
            for name in changed:
                put(data, self.places[name], cleaned[name])
            for name, formset in self.rows.items():
                _edit_rows(data[name], formset)

        try:
            return edit_text(source, edit)
        except YAMLError:
            self.add_error(None, "This text can only be changed under YAML.")
            return ""

    def _refuse(self, problems: list[Problem]) -> None:
        """Show each problem at its field, or all beside the text if that was changed."""
        if self.by_text:
            self.problems = problems
            things = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
            self.add_error("source", f"Nothing was saved. Fix {things} first.")
            return
        for problem in problems:
            message = f"{problem.message[:1].upper()}{problem.message[1:]}."
            if row := self._row_of(problem):
                row[0].add_error(row[1], message)
                self.add_error(None, FIX_ROWS)
            else:
                places = ((name, dotted(loc)) for name, loc in self.places.items())
                named = (name for name, place in places if problem.field.startswith(place))
                self.add_error(next(named, None), message)

    def _row_of(self, problem: Problem) -> tuple[Any, str] | None:
        """Return the form of a list's row, and its field, that the problem is about."""
        found = ROW_FIELD.match(problem.field)
        if not found or found[1] not in self.rows:
            return None
        formset, place = self.rows[found[1]], int(found[2])
        forms_left = [one for one in formset.forms if not formset._should_delete_form(one)]
        form = forms_left[place] if place < len(forms_left) else None
        return (form, found[3]) if form and found[3] in form.fields else None

    def version(self) -> str:
        return _digest(self.instance.source)


class ConceptForm(LadderForm):
    name = _line("Name", "For you and your team.")
    key = _line("ID", "Latin letters, digits, - and _. The ID tells files apart.")
    language = _line("Language", "Language tag of the words below, such as en, it or ru.")
    topic = _text("Topic", "Participants are told it. It continues “when you think of …”.")
    topics = _languages("Topic in other languages", required=False)
    insight = _text("Insight", "What you believe about people’s lives.", required=False)
    promise = _text("Promise", "What the thing says it does for them.", required=False)
    reason_to_believe = _text("Reason to believe", "Why that should be true.", required=False)

    places = {
        "name": ("name",),
        "key": ("id",),
        "language": ("language",),
        **{
            name: ("context", name)
            for name in ("topic", "topics", "insight", "promise", "reason_to_believe")
        },
    }
    rows_of = {"elements": (ElementRow, True)}


class MethodologyForm(LadderForm):
    name = _line("Name", "For you and your team.")
    key = _line("ID", "Latin letters, digits, - and _. The ID tells files apart.")
    goal = _text("Goal", "What the interview should find out. The model reads it.")
    opening = _languages("First question", "{topic} stands for the concept’s topic.")
    closing = _languages("Last words")

    places = {
        "name": ("name",),
        "key": ("id",),
        "goal": ("goal",),
        "opening": ("opening",),
        "closing": ("closing",),
    }
    rows_of = {"ladder": (RungRow, False), "strategies": (StrategyRow, False)}


def _value_at(content: Mapping[str, Any], loc: Loc) -> Any:
    value: Any = content
    for name in loc:
        value = value.get(name, "") if isinstance(value, Mapping) else ""
    return value


def _edit_rows(rows: Any, formset: Any) -> None:
    stored, gone = len(rows), []
    for place, form in enumerate(formset.forms):
        if formset._should_delete_form(form):
            gone.append(place)
        elif place >= stored and form.has_changed():
            rows.append({})
            _edit_row(rows[-1], form, rows)
        elif form.has_changed():
            _edit_row(rows[place], form, rows)
    for place in reversed([place for place in gone if place < stored]):
        del rows[place]


def _edit_row(row: Any, form: Any, rows: Any) -> None:
    values = form.cleaned_data
    if "id" in form.fields and not values["id"]:
        taken = {str(one.get("id")) for one in rows if one is not row}
        values["id"] = make_key(values["label"], taken, "element")
    for name in ("id", *form.base_fields):
        if name in values and (name in form.changed_data or name not in row):
            put(row, (name,), values[name])


def _digest(source: str) -> str:
    return hashlib.sha256(source.encode()).hexdigest()[:32] if source else ""


class LadderImportForm(ImportForm):
    format = None  # type: ignore[assignment]  # it is plain from the text
    kinds = "YAML or JSON in UTF-8"
