"""The form in which a product of statements is amended_content, one row per statement.

Each row carries the quotes that were read, so that nothing typed is lost when the product has
changed meanwhile.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from django import forms
from django.forms.formsets import BaseFormSet, formset_factory
from pydantic import TypeAdapter, ValidationError
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget, UnfoldBooleanWidget

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
from reflections.models import Reflection, Reviewed
from reflections.products import Amendment, Content
from reflections.themes.report_content import quotes_of, report_in

PREFIX = "told"
QUOTES = TypeAdapter(tuple[Quote, ...])
LINE = re.compile(r"\s*(?:\[?\s*(?P<position>\d{1,9})\s*\]?[.:,)]?\s+)?(?P<words>.*\S)\s*")
NOBODY = "No answer contains “{words}”. Copy the words from the transcript."
GARBLED = "This row can’t be read any more. Reload the page to amend it."


class StatementForm(forms.Form):
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
        help_text="One per line: the number of the answer or excerpt, then its exact words.",
    )

    def __init__(
        self, *args: Any, answers: Mapping[int, str], titles: Sequence[str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.answers = answers
        self.read = _parse_quotes(self["offered"].value())
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
        """Whether the reviewer wrote it, instead of amending one that was read."""
        return not self["was"].value() and not self.read

    @property
    def boxes(self) -> list[tuple[Any, Quote]]:
        return list(zip(self["quotes"].subwidgets, self.read or (), strict=True))

    def has_changed(self) -> bool:
        """Count a row of the reviewer's own as soon as something is written in it."""
        return not self.new or any(self[name].value() for name in ("text", "more"))

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if self.read is None or {"was", "offered"} & self.errors.keys():
            raise forms.ValidationError(GARBLED)
        if data.get("keep"):
            if not data.get("text"):
                self.add_error("text", "Write the statement, or leave it out.")
            data["all_quotes"] = self._clean_quotes(data)
        return data

    def _clean_quotes(self, data: Mapping[str, Any]) -> tuple[Quote, ...]:
        quotes = [
            *self._kept_quotes(data.get("quotes", ())),
            *self._added_quotes(data.get("more", "")),
        ]
        if not quotes and not self.errors and (self.read or self.new):
            self.add_error("more", "Keep a quote or add one, or leave the statement out.")
        return tuple(dict.fromkeys(quotes))

    def _kept_quotes(self, places: Sequence[str]) -> list[Quote]:
        kept = [(self.read or ())[int(place)] for place in places]
        for quote in kept:
            if not quote.text.strip() or quote.text not in self.answers.get(quote.position, ""):
                self.add_error("quotes", NOBODY.format(words=quote.text))
        return kept

    def _added_quotes(self, lines: str) -> list[Quote]:
        quotes = []
        for position, words, line in parse_quote_lines(lines):
            quote = find_quote(words, self.answers, near=position) or find_quote(line, self.answers)
            if quote is None:
                self.add_error("more", NOBODY.format(words=words))
            else:
                quotes.append(quote)
        return quotes

    def statement(self) -> CurrentStatement:
        data = self.cleaned_data
        quotes = data["all_quotes"]
        return CurrentStatement(text=data["text"], quotes=quotes, was=data["was"] or None)


class StatementRows(BaseFormSet):  # type: ignore[type-arg]
    def clean(self) -> None:
        if not any(self.errors) and not self.kept:
            raise forms.ValidationError(
                "Keep at least one statement. To refuse all of them, reject the result."
            )

    @property
    def kept(self) -> list[StatementForm]:
        return [
            row
            for row in self.forms
            if row.cleaned_data.get("keep") and row.cleaned_data.get("text")
        ]

    def statements(self) -> list[tuple[str, CurrentStatement]]:
        return [(row.cleaned_data["section"], row.statement()) for row in self.kept]


StatementFormSet = formset_factory(StatementForm, formset=StatementRows, extra=1)


def statements_form(
    current: CurrentStatements, answers: Mapping[int, str], data: Any = None
) -> StatementRows:
    """Return the form for a product as it stands, or bound to what was sent."""
    titles = list(dict.fromkeys(section.title for section in current.sections))
    kwargs = {"answers": answers, "titles": titles}
    form = StatementFormSet(data, prefix=PREFIX, initial=_initial_rows(current), form_kwargs=kwargs)
    return cast(StatementRows, form)


def parse_quote_lines(lines: str) -> list[tuple[int | None, str, str]]:
    """Parse typed quotes, one a line, into (position or None, words, whole line).

    The whole line is needed since a quote may itself begin with a number.
    """
    matches = (LINE.fullmatch(line) for line in lines.splitlines())
    return [
        (int(one["position"]) if one["position"] else None, one["words"], one[0].strip())
        for one in matches
        if one
    ]


def _initial_rows(current: CurrentStatements) -> list[dict[str, Any]]:
    return [
        {
            "was": one.was if one.was is not None else "",
            "offered": QUOTES.dump_json(one.quotes).decode(),
            "section": section.title,
            "keep": True,
            "text": one.text,
        }
        for section in current.sections
        for one in section.statements
    ]


def _parse_quotes(offered: str | None) -> tuple[Quote, ...] | None:
    try:
        return QUOTES.validate_json(offered or "[]")
    except ValidationError:
        return None


def _form(reflection: Reviewed, content: Content, data: Any) -> StatementRows | None:
    """Return the form; None if there are no statements and no rows were sent."""
    current = statements_of(reflection, content)
    sent = data and f"{PREFIX}-TOTAL_FORMS" in data
    if current is None or not (current.statements or sent):
        return None
    return statements_form(current, _answers(reflection, content), data)


def _answers(reflection: Reviewed, content: Content) -> Mapping[int, str]:
    """Return what may be quoted, by the numbers that quotes have in such a product."""
    if isinstance(reflection, Reflection):
        return transcript_of(reflection.session).answers
    quotes = quotes_of(report_in(content).excerpts)
    return {number: one.text for number, one in quotes.items()}


STATEMENTS = Amendment(
    _form, lambda reflection, form: amended_content(reflection.content, form.statements())
)
