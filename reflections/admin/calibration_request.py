"""Asking for a calibration: the forms, what it would do, and its beginning."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from interviews.models import Session
from llm.routing.routes import has_model
from plans.portability.problems import BrokenDocument, Problem
from reflections.admin.calibration_forms import FORMS, HeldOutForm, QuestionnaireForm
from reflections.calibration.calibrations import Forecast, Options, forecast, request
from reflections.calibration.holdout import TooFew
from reflections.calibration.types import QuestionnaireItem, QuestionnaireOptions
from reflections.models import Calibration

SHOWN = 12  # items of a questionnaire before it is begun


@dataclass(frozen=True)
class CalibrationRequest:
    """Where somebody stands with the two forms. `forecast` is there once one of them is right."""

    held_out: HeldOutForm
    questionnaire: QuestionnaireForm
    chosen: str = ""  # the form that was sent
    problems: Sequence[Problem] = ()
    too_few: str = ""
    options: Options | None = None
    forecast: Forecast | None = None
    text: str = ""  # of the questionnaire
    model: bool = True  # whether there is one to ask

    @property
    def wrong(self) -> bool:
        """Whether something has to be mended first."""
        return bool(self.chosen) and self.forecast is None

    @property
    def items(self) -> tuple[QuestionnaireItem, ...]:
        """Those of the questionnaire."""
        return self.options.items if isinstance(self.options, QuestionnaireOptions) else ()

    @property
    def first_items(self) -> tuple[QuestionnaireItem, ...]:
        return self.items[:SHOWN]

    @property
    def on_ranges(self) -> int:
        """How many items have a range of numbers."""
        return sum(item.scale for item in self.items)

    @property
    def twice(self) -> int:
        """How many were answered twice."""
        return sum(bool(item.again) for item in self.items)


def opened(session: Session) -> CalibrationRequest:
    return CalibrationRequest(HeldOutForm(prefix="held"), QuestionnaireForm(prefix="items"))


def looked_at(session: Session, data: Any, files: Any) -> CalibrationRequest:
    """The form that was sent: what is wrong with it, or what it would do."""
    method = "questionnaire" if data.get("method") == "questionnaire" else "held_out"
    sent = FORMS[method](data, files, prefix="items" if method == "questionnaire" else "held")
    both: dict[str, Any] = vars(opened(session)) | {method: sent, "chosen": method}
    if not sent.is_valid():
        return CalibrationRequest(**both)
    try:
        options = sent.options()
        found = forecast(session, options)
    except BrokenDocument as broken:
        return CalibrationRequest(**both | {"problems": broken.problems})
    except TooFew as why:
        return CalibrationRequest(**both | {"too_few": str(why)})
    text = sent.content() if isinstance(sent, QuestionnaireForm) else ""
    seen = {"options": options, "forecast": found, "text": text, "model": has_model()}
    return CalibrationRequest(**both | seen)


def begun(session: Session, asking: CalibrationRequest, by: str) -> tuple[Calibration, str]:
    """The calibration, and what to say of it. ValueError without options."""
    if asking.options is None:
        raise ValueError("nothing was asked for")
    row, new = request(session, asking.options, by)
    return row, "It is begun." if new else "The same one is under way already; this is it."
