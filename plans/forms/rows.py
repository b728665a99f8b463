"""Forms that notice what others save meanwhile, and formsets of rows that people drag."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django import forms
from django.db.models import Max, QuerySet
from unfold.forms import PaginationInlineFormSet

from plans.forms.fields import PLAIN_LATIN
from plans.models.copies import next_position
from plans.portability.keys import Maker, make_key

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


class KeyedForm(forms.ModelForm):  # type: ignore[type-arg]  # of any row with a key
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "key" in self.fields:
            self.fields["key"].required = False
            if isinstance(self.fields["key"], forms.SlugField):  # others bring their own message
                self.fields["key"].error_messages |= PLAIN_LATIN
            self.fields["key"].widget.attrs["placeholder"] = "filled in if left empty"

    def clean_key(self) -> str | None:
        """Return None for an empty key, so that two empty ones don't count as duplicates."""
        return self.cleaned_data.get("key") or None


class ChangesForm(forms.ModelForm):  # type: ignore[type-arg]  # of any row
    """A row of which only what was changed is saved: all else stays as it is stored by now.

    What each field held is sent along, to tell.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.show_hidden_initial = True

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for name in self.base_fields.keys() - {*self.changed_data}:
            cleaned[name] = getattr(self.instance, name)
        return cleaned


class OrderedFormSet(PaginationInlineFormSet):  # type: ignore[misc]  # Unfold is untyped
    source = "text"  # the field that names a row

    def clean(self) -> None:
        super().clean()
        self.place_new_rows()
        if gone := ", ".join(f"“{form[self.source].value()}”" for form in self.deleted_elsewhere()):
            message = f"Somebody else has deleted {gone}. Copy what you need and reload the page."
            raise forms.ValidationError(message)

    def deleted_elsewhere(self) -> list[Any]:
        """Return the forms whose rows are gone and that should stay."""
        stays = (form for form in self.initial_forms if not self._should_delete_form(form))
        return [form for form in stays if "id" in form.errors]

    def place_new_rows(self) -> None:
        rows = staying(self)
        placed = (form for form in rows if not form.instance._state.adding)
        first = next_position(form.cleaned_data.get("position") or 0 for form in placed)
        new = (form.instance for form in rows if form.instance._state.adding)
        for place, instance in enumerate(new, start=first):
            instance.position = place


class KeyedFormSet(OrderedFormSet):
    """Ordered rows whose missing keys are made from the field `source`."""

    source = "title"
    stem = "row"
    make = staticmethod(make_key)

    def get_unique_error_message(self, unique_check: Sequence[str]) -> str:
        return "Two rows have the same key. Each needs its own, to tell rows apart in exports."

    def get_form_error(self) -> str:
        return "Another row already has this key."

    def clean(self) -> None:
        super().clean()
        fill_keys(staying(self), self.source, self.stem, self.make)


def staying(formset: Any) -> list[Any]:
    """Return the valid forms whose rows exist after saving."""
    return [
        form
        for form in formset.forms
        if getattr(form, "cleaned_data", {})
        and form.is_valid()
        and not formset._should_delete_form(form)
    ]


def fill_keys(forms: Collection[Any], source: str, stem: str, make: Maker = make_key) -> None:
    """Give the rows without a key one that is made from a field of theirs."""
    taken = {form.cleaned_data["key"] for form in forms if form.cleaned_data.get("key")}
    for form in forms:
        if not form.cleaned_data.get("key"):
            form.instance.key = make(form.cleaned_data.get(source) or "", taken, stem)
            taken.add(form.instance.key)
