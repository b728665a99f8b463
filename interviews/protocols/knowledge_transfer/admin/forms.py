"""The words of a fact, and what was read when somebody began to change them."""

from collections.abc import Sequence
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminTextareaWidget

from interviews.models import Fact
from interviews.protocols.knowledge_transfer.facts import MOST_CHARACTERS, version
from plans.forms.fields import TidyText


class WordsForm(forms.Form):
    """The words for one fact, or for several that become one."""

    text = TidyText(
        label="Fact",
        max_length=MOST_CHARACTERS,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4, "dir": "auto"}),
        help_text="One sentence that is understood without the question.",
    )
    seen = forms.CharField(widget=forms.HiddenInput())


def words_form(facts: Sequence[Fact], text: str, data: Any = None) -> WordsForm:
    """The form, filled in or as it was sent."""
    return WordsForm(data, initial={"text": text, "seen": version(facts)})


def sent_again(form: WordsForm, facts: Sequence[Fact]) -> WordsForm:
    """The same words to be sent once more, by somebody who now sees how the facts stand."""
    return words_form(facts, form.data.get("text", ""))
