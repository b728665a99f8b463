"""What is to be made of a bot's interviews, as somebody chooses it."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict

from reflections.batches.offers import BatchChoice, BatchOffer, WhichInterviews
from reflections.models import Reflection


class BatchForm(forms.Form):
    """Products, and which interviews."""

    products = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple(),
        error_messages={"required": "Choose at least one product."},
    )
    which = forms.ChoiceField(
        choices=WhichInterviews.choices,
        widget=forms.RadioSelect(),
        initial=WhichInterviews.MISSING,
        label="Of which interviews",
    )
    synthetic = forms.BooleanField(required=False, label="Also of simulated participants")
    previews = forms.BooleanField(required=False, label="Also of previews")
    after = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput())

    def __init__(self, offer: BatchOffer, data: Any = None) -> None:
        super().__init__(data)
        self.lacking = {name: _count(offer, name) for name in offer.products}
        choices = [(name, _described(name, self.lacking[name])) for name in offer.products]
        self.fields["products"].choices = choices  # type: ignore[attr-defined]
        self.initial["products"] = [name for name in offer.usual if self.lacking[name]]

    @property
    def choice(self) -> BatchChoice:
        """What was chosen, once the form is valid."""
        told: Mapping[str, Any] = self.cleaned_data
        return BatchChoice(
            tuple(told["products"]),
            WhichInterviews(told["which"]),
            told["synthetic"],
            told["previews"],
        )

    @property
    def latest_then(self) -> int | None:
        """The bot's latest batch when the costs were looked at; None where they were not."""
        found: int | None = self.cleaned_data["after"]
        return found


def fitting(offer: BatchOffer, data: "MultiValueDict[str, str]") -> BatchForm:
    """The form as it is offered, or as it was sent."""
    return BatchForm(offer, data if "which" in data else None)


def _count(offer: BatchOffer, name: str) -> int:
    return offer.lacking(name, BatchChoice((name,))).count()


def _described(name: str, lacking: int) -> str:
    title = Reflection(name=name).title
    return f"{title} (lacking in {lacking:,})" if lacking else f"{title} (nowhere lacking)"
