"""Forms that say if what they hold was saved elsewhere since they were opened."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.db.models import Max, QuerySet

MEANWHILE = (
    "Somebody else has saved it since you opened it, or you did in another window. Your version is "
    "below, so nothing is lost. See under History what was changed. If you save again, your "
    "version replaces it."
)


class SeenForm(forms.ModelForm):  # type: ignore[type-arg]  # each has its own model
    meanwhile = MEANWHILE
    seen = forms.CharField(required=False, widget=forms.HiddenInput())

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seen"].initial = self.version()

    def version(self) -> str:
        """Return a text that changes whenever the row, or one that the form holds, is saved."""
        return "-".join(
            str(rows.aggregate(last=Max("history_id"))["last"]) for rows in self.records()
        )

    def records(self) -> Iterable[QuerySet[Any]]:
        """Return the histories of these rows."""
        return ()

    def clean_seen(self) -> str:
        current = str(self.fields["seen"].initial)
        if self.cleaned_data["seen"] not in ("", current):
            data: Any = self.data
            self.data = data = data.copy()
            data["seen"] = current
            self.add_error(None, self.meanwhile)
        return current
