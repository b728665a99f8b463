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

SHOWN = 12  # items of a questionnaire in the preview


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
    text: str = ""  # of the questionnaire
    model: bool = True  # whether one is configured

    @property
    def wrong(self) -> bool:
        return bool(self.chosen) and self.forecast is None

    @property
    def items(self) -> tuple[QuestionnaireItem, ...]:
        return self.options.items if isinstance(self.options, QuestionnaireOptions) else ()

    @property
    def first_items(self) -> tuple[QuestionnaireItem, ...]:
        return self.items[:SHOWN]

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
    both: dict[str, Any] = vars(new_request()) | {method: sent, "chosen": method}
    if not sent.is_valid():
        return CalibrationRequest(**both)
    try:
        options = sent.options()
        outlook = forecast(session, options)
    except BrokenDocument as error:
        return CalibrationRequest(**both | {"problems": error.problems})
    except TooFew as error:
        return CalibrationRequest(**both | {"too_few": str(error)})
    text = sent.content() if isinstance(sent, QuestionnaireForm) else ""
    rest = {"options": options, "forecast": outlook, "text": text, "model": has_model()}
    return CalibrationRequest(**both | rest)


def start(session: Session, asking: CalibrationRequest, by: str) -> tuple[Calibration, str]:
    """Start the calibration; return it and a message. Raises ValueError without options."""
    if asking.options is None:
        raise ValueError("nothing was asked for")
    row, new = request(session, asking.options, by)
    return row, "It is begun." if new else "The same one is under way already; this is it."
