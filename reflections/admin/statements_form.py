"""The form in which a product of statements is amended, a row a statement.

What was read goes along with it, so that nothing typed is lost when the product has changed
meanwhile.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from django import forms
from django.forms.formsets import BaseFormSet, formset_factory
from pydantic import TypeAdapter, ValidationError
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldBooleanWidget,
)

from plans.forms.fields import TidyText
from reflections.evidence.material import transcript_of
from reflections.evidence.quotes import find_quote
from reflections.evidence.statements import (
    CurrentStatement,
    CurrentStatements,
    amended_content,
    statements_of,
)
from reflections.evidence.types import Quote
from reflections.models import Reflection
from reflections.products import Amendment, Content

PREFIX = "told"
QUOTES = TypeAdapter(tuple[Quote, ...])
LINE = re.compile(r"\s*(?:\[?\s*(?P<position>\d{1,9})\s*\]?[.:,)]?\s+)?(?P<words>.*\S)\s*")
NOBODY = "Nobody says “{words}” in an answer. Copy the words from the transcript."
GARBLED = "This row can’t be read any more. Load the page again to amend it."


class StatementForm(forms.Form):
    """One statement: kept or left out, its text, its quotes, and quotes to be added."""

    was = forms.IntegerField(required=False, widget=forms.HiddenInput())
    offered = forms.CharField(required=False, widget=forms.HiddenInput())  # quotes, as JSON
    section = forms.CharField(required=False, strip=False, widget=forms.HiddenInput())
    keep = forms.BooleanField(required=False, initial=True, widget=UnfoldBooleanWidget())
    text = TidyText(
        required=False, label="Statement", widget=UnfoldAdminTextareaWidget(attrs={"rows": 3})
    )
    more = TidyText(
        required=False,
        label="Quotes to add",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text="One a line: the number of the answer, then its very words.",
    )

    def __init__(
        self, *args: Any, answers: Mapping[int, str], titles: Sequence[str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.answers = answers
        self.read = _read(self["offered"].value())
        places = [str(place) for place in range(len(self.read or ()))]
        self.fields["quotes"] = forms.MultipleChoiceField(
            required=False,
            choices=[(place, place) for place in places],
            initial=places,
            widget=forms.CheckboxSelectMultiple(),
        )
        self.fields["section"].initial = next(iter(titles), "")
        if self.new and len(titles) > 1:
            choices = [(title, title) for title in titles]
            self.fields["section"].widget = UnfoldAdminSelectWidget(choices=choices)

    @property
    def new(self) -> bool:
        """Whether it is a reviewer's own, and not one that was read."""
        return not self["was"].value() and not self.read

    @property
    def boxes(self) -> list[tuple[Any, Quote]]:
        """The quotes that were read, each with its box."""
        return list(zip(self["quotes"].subwidgets, self.read or (), strict=True))

    def has_changed(self) -> bool:
        """A row of one's own counts as soon as something is written in it."""
        return not self.new or any(self[name].value() for name in ("text", "more"))

    def clean(self) -> dict[str, Any]:
        """What is kept says something, in words that rest on the interview."""
        told: dict[str, Any] = super().clean() or {}
        if self.read is None or {"was", "offered"} & self.errors.keys():
            raise forms.ValidationError(GARBLED)
        if told.get("keep"):
            if not told.get("text"):
                self.add_error("text", "Write the statement, or leave it out.")
            told["rests_on"] = self._rests_on(told)
        return told

    def _rests_on(self, told: Mapping[str, Any]) -> tuple[Quote, ...]:
        quotes = [*self._kept(told.get("quotes", ())), *self._added(told.get("more", ""))]
        if not quotes and not self.errors and (self.read or self.new):
            self.add_error("more", "Keep a quote or add one, or leave the statement out.")
        return tuple(dict.fromkeys(quotes))

    def _kept(self, places: Sequence[str]) -> list[Quote]:
        kept = [(self.read or ())[int(place)] for place in places]
        for quote in kept:
            if not quote.text.strip() or quote.text not in self.answers.get(quote.position, ""):
                self.add_error("quotes", NOBODY.format(words=quote.text))
        return kept

    def _added(self, lines: str) -> list[Quote]:
        quotes = []
        for position, words, line in typed(lines):
            quote = find_quote(words, self.answers, near=position) or find_quote(line, self.answers)
            if quote is None:
                self.add_error("more", NOBODY.format(words=words))
            else:
                quotes.append(quote)
        return quotes

    def statement(self) -> CurrentStatement:
        """The statement as amended, once the form is valid and it is kept."""
        told = self.cleaned_data
        return CurrentStatement(text=told["text"], quotes=told["rests_on"], was=told["was"] or None)


class StatementRows(BaseFormSet):  # type: ignore[type-arg]
    """The statements in their order, and one more that a reviewer may write."""

    def clean(self) -> None:
        if not any(self.errors) and not self.kept:
            raise forms.ValidationError(
                "Keep at least one statement. To refuse the whole, reject it."
            )

    @property
    def kept(self) -> list[StatementForm]:
        """The rows that stay or are new."""
        return [
            row
            for row in self.forms
            if row.cleaned_data.get("keep") and row.cleaned_data.get("text")
        ]

    def statements(self) -> list[tuple[str, CurrentStatement]]:
        """Each with the title of its section, once all rows are valid."""
        return [(row.cleaned_data["section"], row.statement()) for row in self.kept]


ToldForm = formset_factory(StatementForm, formset=StatementRows, extra=1)


def statements_form(
    told: CurrentStatements, answers: Mapping[int, str], data: Any = None
) -> StatementRows:
    """The form for a product as it stands, or with what was sent."""
    titles = list(dict.fromkeys(section.title for section in told.sections))
    form = ToldForm(
        data,
        prefix=PREFIX,
        initial=_initial(told),
        form_kwargs={"answers": answers, "titles": titles},
    )
    return cast(StatementRows, form)


def sent_rows(data: Mapping[str, Any]) -> bool:
    """Whether rows of this form are in what was sent."""
    return f"{PREFIX}-TOTAL_FORMS" in data


def typed(lines: str) -> list[tuple[int | None, str, str]]:
    """The quotes that somebody typed, one a line: its position if there is one, its words, and the
    whole line, since a quote may itself begin with a number."""
    matches = (LINE.fullmatch(line) for line in lines.splitlines())
    return [
        (int(one["position"]) if one["position"] else None, one["words"], one[0].strip())
        for one in matches
        if one
    ]


def _initial(told: CurrentStatements) -> list[dict[str, Any]]:
    return [
        {
            "was": one.was if one.was is not None else "",
            "offered": QUOTES.dump_json(one.quotes).decode(),
            "section": section.title,
            "keep": True,
            "text": one.text,
        }
        for section in told.sections
        for one in section.statements
    ]


def _read(offered: str | None) -> tuple[Quote, ...] | None:
    """The quotes that were read; None where what came back is none of ours."""
    try:
        return QUOTES.validate_json(offered or "[]")
    except ValidationError:
        return None


def _form(reflection: Reflection, content: Content, data: Any) -> StatementRows | None:
    """The form for statements; None where there are none, and none were sent."""
    told = statements_of(reflection, content)
    if told is None or not (told.statements or (data and sent_rows(data))):
        return None
    return statements_form(told, transcript_of(reflection.session).answers, data)


def _amended(reflection: Reflection, form: StatementRows) -> Content:
    return amended_content(reflection.content, form.statements())


STATEMENTS = Amendment(_form, _amended)
