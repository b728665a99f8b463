from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget

from interviews.models import Session
from plans.forms.imports import ImportForm
from plans.portability.problems import BrokenDocument, Problem
from reflections.calibration.calibrations import Forecast, Options, forecast
from reflections.calibration.holdout import TooFew
from reflections.calibration.questionnaire import read_items
from reflections.calibration.types import (
    MOST_SEED,
    SEED,
    HeldOutOptions,
    QuestionnaireItem,
    QuestionnaireOptions,
)

SHARES = [("0.1", "A tenth"), ("0.2", "A fifth"), ("0.33", "A third"), ("0.5", "Half")]


def _seed() -> forms.IntegerField:
    return forms.IntegerField(
        initial=SEED,
        min_value=0,
        max_value=MOST_SEED,
        help_text="Any number. The same number draws the same questions.",
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
    kinds = "CSV in UTF-8"
    seed = _seed()

    def options(self) -> QuestionnaireOptions:
        items = read_items(self.content())
        return QuestionnaireOptions(items=items, seed=self.cleaned_data["seed"])


FORMS: dict[str, type[HeldOutForm | QuestionnaireForm]] = {
    "held_out": HeldOutForm,
    "questionnaire": QuestionnaireForm,
}


@dataclass(frozen=True)
class CalibrationRequest:
    """The state of the two forms. `forecast` is set once the form sent is valid."""

    held_out: HeldOutForm
    questionnaire: QuestionnaireForm
    chosen: str = ""  # the method whose form was sent
    problems: Sequence[Problem] = ()
    too_few: str = ""
    options: Options | None = None
    forecast: Forecast | None = None

    @property
    def wrong(self) -> bool:
        return bool(self.chosen) and self.forecast is None

    @property
    def items(self) -> tuple[QuestionnaireItem, ...]:
        return self.options.items if isinstance(self.options, QuestionnaireOptions) else ()

    @property
    def on_ranges(self) -> int:
        return sum(item.scale for item in self.items)

    @property
    def twice(self) -> int:
        return sum(bool(item.again) for item in self.items)


def new_request() -> CalibrationRequest:
    return CalibrationRequest(HeldOutForm(prefix="held"), QuestionnaireForm(prefix="items"))


def submitted_request(session: Session, data: Any, files: Any) -> CalibrationRequest:
    """Return the form that was sent with its problems, or with what it would do."""
    method = "questionnaire" if data.get("method") == "questionnaire" else "held_out"
    sent = FORMS[method](data, files, prefix="items" if method == "questionnaire" else "held")
    changed: dict[str, Any] = {method: sent, "chosen": method}
    request = replace(new_request(), **changed)
    if not sent.is_valid():
        return request
    try:
        options = sent.options()
        return replace(request, options=options, forecast=forecast(session, options))
    except BrokenDocument as error:
        return replace(request, problems=error.problems)
    except TooFew as error:
        return replace(request, too_few=str(error))
