from django import forms
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
)

from plans.forms.imports import ImportForm
from reflections.calibration.questionnaire import read_items
from reflections.calibration.types import MOST_SEED, SEED, HeldOutOptions, QuestionnaireOptions

SHARES = [("0.1", "A tenth"), ("0.2", "A fifth"), ("0.33", "A third"), ("0.5", "Half")]


def _seed() -> forms.IntegerField:
    return forms.IntegerField(
        initial=SEED,
        min_value=0,
        max_value=MOST_SEED,
        help_text="Any number. The same one draws the same again.",
        widget=UnfoldAdminIntegerFieldWidget(),
    )


class HeldOutForm(forms.Form):
    share = forms.ChoiceField(
        choices=SHARES,
        initial="0.2",
        label="How many questions to hold out",
        help_text="Of those with a real answer; at least 3 and at most 12.",
        widget=UnfoldAdminSelectWidget(),
    )
    seed = _seed()

    def options(self) -> HeldOutOptions:
        data = self.cleaned_data
        return HeldOutOptions(share=float(data["share"]), seed=data["seed"])


class QuestionnaireForm(ImportForm):
    format = None  # type: ignore[assignment]  # there is only one
    file = forms.FileField(
        required=False, help_text="CSV in UTF-8, up to 2 MB.", widget=UnfoldAdminFileFieldWidget()
    )
    text = forms.CharField(
        label="Or paste it",
        required=False,
        strip=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 8, "spellcheck": "false"}),
    )
    seed = _seed()

    def options(self) -> QuestionnaireOptions:
        items = read_items(self.content())
        return QuestionnaireOptions(items=items, seed=self.cleaned_data["seed"])


FORMS: dict[str, type[HeldOutForm | QuestionnaireForm]] = {
    "held_out": HeldOutForm,
    "questionnaire": QuestionnaireForm,
}
