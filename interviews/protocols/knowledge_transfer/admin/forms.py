from collections.abc import Sequence
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminTextareaWidget

from interviews.models import Fact
from interviews.protocols.knowledge_transfer.facts import MAX_LENGTH, version
from plans.forms.fields import TidyText


class WordsForm(forms.Form):
    text = TidyText(
        label="Fact",
        max_length=MAX_LENGTH,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4, "dir": "auto"}),
        help_text="One sentence that is understood without the question.",
    )
    seen = forms.CharField(widget=forms.HiddenInput())


def words_form(facts: Sequence[Fact], text: str, data: Any = None) -> WordsForm:
    return WordsForm(data, initial={"text": text, "seen": version(facts)})


def resubmitted_form(form: WordsForm, facts: Sequence[Fact]) -> WordsForm:
    return words_form(facts, form.data.get("text", ""))
