from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict

from reflections.batches.offers import BatchChoice, BatchOffer, WhichInterviews
from reflections.models import Reflection


class BatchForm(forms.Form):
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
        self.lacking = {
            name: offer.lacking(name, BatchChoice((name,))).count() for name in offer.products
        }
        choices = [(name, _label(name, count)) for name, count in self.lacking.items()]
        self.fields["products"].choices = choices  # type: ignore[attr-defined]
        self.initial["products"] = [name for name in offer.usual if self.lacking[name]]

    @property
    def choice(self) -> BatchChoice:
        data = self.cleaned_data
        which = WhichInterviews(data["which"])
        return BatchChoice(tuple(data["products"]), which, data["synthetic"], data["previews"])

    @property
    def latest_then(self) -> int | None:
        """The bot's latest batch when the costs were shown; None if they were not."""
        batch: int | None = self.cleaned_data["after"]
        return batch


def batch_form(offer: BatchOffer, data: "MultiValueDict[str, str]") -> BatchForm:
    return BatchForm(offer, data if "which" in data else None)


def _label(name: str, lacking: int) -> str:
    title = Reflection(name=name).title
    return f"{title} (lacking in {lacking:,})" if lacking else f"{title} (nowhere lacking)"
