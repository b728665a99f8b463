"""Form fields for the way in and out: what a bot's links bring, and what others get."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from pydantic import ValidationError
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from plans.models.eligibility import (
    LONGEST_ADDRESS,
    LONGEST_CODE,
    LONGEST_NAME,
    MOST_PARAMS,
    WAYS,
    Outcome,
    params_of,
    zones,
)
from plans.portability.validation import message

FEWEST_ROWS, SPARE_ROWS = 2, 1
Collected = tuple[Any, dict[str, str]]


class Row(NamedTuple):
    """The form fields of one parameter."""

    name: str
    aliases: str
    required: str
    once: str


NAME_HELP = "The name that it is kept by, and {NAME} in addresses. Empty: not used."
ALIASES_HELP = "Other spellings, with commas between. Capitals make no difference."
REQUIRED_HELP = "On: a link without it is incomplete, and nobody can begin with it."
ONCE_HELP = "On: it names a person, who can give one interview."
CODE_HELP = "Shown to them, so that their panel can count it. Empty: none."
URL_HELP = (
    "A button leads there. {PROLIFIC_PID} and other parameters that came with the link are filled "
    "in. Empty: none."
)
OUTCOME_PARTS = (
    ("code", "code", LONGEST_CODE, CODE_HELP),
    ("url", "address", LONGEST_ADDRESS, URL_HELP),
)


def param_rows(stored: Sequence[Mapping[str, Any]]) -> list[Row]:
    """The form fields of each parameter: those stored, and empty ones for more."""
    count = min(MOST_PARAMS, max(FEWEST_ROWS, len(stored) + SPARE_ROWS))
    return [_row(number) for number in range(count)]


def _row(number: int) -> Row:
    return Row(*(f"param_{number}_{part}" for part in Row._fields))


def param_fields(stored: Sequence[Mapping[str, Any]]) -> dict[str, forms.Field]:
    """Four fields for each parameter of the link; the first one's say what they are for."""
    fields: dict[str, forms.Field] = {}
    for number, row in enumerate(param_rows(stored)):
        given = stored[number] if number < len(stored) else {}
        why = (NAME_HELP, ALIASES_HELP, REQUIRED_HELP, ONCE_HELP) if not number else ("",) * 4
        label, also = f"Parameter {number + 1}", ", ".join(given.get("aliases", ()))
        fields[row.name] = _line(label, given.get("name", ""), LONGEST_NAME, why[0])
        fields[row.aliases] = _line("Also written", also, 1000, why[1])
        required, once = bool(given.get("required")), bool(given.get("once"))
        fields[row.required] = _switch(f"{label} is required", required, why[2])
        fields[row.once] = _switch(f"{label}: once for each", once, why[3])
    return fields


def _switch(label: str, value: bool, why: str) -> forms.Field:
    return forms.BooleanField(
        label=label,
        required=False,
        initial=value,
        help_text=why,
        widget=UnfoldBooleanSwitchWidget(),
    )


def _line(label: str, value: str, longest: int, why: str) -> forms.Field:
    return forms.CharField(
        label=label,
        required=False,
        initial=value,
        max_length=longest,
        help_text=why,
        widget=UnfoldAdminTextInputWidget(),
    )


def collect_params(cleaned: Mapping[str, Any], rows: Sequence[Row]) -> Collected:
    """The parameters that a form's data states, and messages by form field."""
    named = [row for row in rows if cleaned.get(row.name) or cleaned.get(row.aliases)]
    data = [
        {
            "name": cleaned.get(row.name) or "",
            "aliases": _spelled(cleaned.get(row.aliases) or ""),
            "required": bool(cleaned.get(row.required)),
            "once": bool(cleaned.get(row.once)),
        }
        for row in named
    ]
    try:
        params = params_of(data)
    except ValidationError as error:
        return [], dict(_placed(detail, named) for detail in error.errors())
    return [param.model_dump(mode="json") for param in params], {}


def _spelled(aliases: str) -> list[str]:
    return list(dict.fromkeys(part for one in aliases.split(",") if (part := one.strip())))


def _placed(detail: Any, rows: Sequence[Row]) -> tuple[str, str]:
    """The field that an error is about; the first one where it is about several rows."""
    number, part = (*detail["loc"], 0, "name")[:2] if detail["loc"] else (0, "name")
    said = message(detail)
    return (rows[number].aliases if part == "aliases" else rows[number].name), said[
        :1
    ].upper() + said[1:] + "."


def outcome_name(way: str, part: str) -> str:
    """The form field of the code or the address of one way of not taking part."""
    return f"outcome_{way}_{part}"


def outcome_rows() -> list[tuple[str, str]]:
    return [(outcome_name(way, "code"), outcome_name(way, "url")) for way in WAYS]


def outcome_fields(stored: Mapping[str, Any]) -> dict[str, forms.Field]:
    """A code and an address for each way of not taking part."""
    fields: dict[str, forms.Field] = {}
    for way, label in WAYS.items():
        given = stored.get(way) or {}
        code, url = given.get("code", ""), given.get("url", "")
        fields[outcome_name(way, "code")] = _line(f"{label}: code", code, LONGEST_CODE, CODE_HELP)
        fields[outcome_name(way, "url")] = _line(
            f"{label}: address", url, LONGEST_ADDRESS, URL_HELP
        )
    return fields


def collect_outcomes(cleaned: Mapping[str, Any]) -> Collected:
    """The codes and addresses that a form's data states, and messages by form field."""
    found: dict[str, Any] = {}
    problems: dict[str, str] = {}
    for way in WAYS:
        parts = {part: cleaned.get(outcome_name(way, part)) or "" for part in ("code", "url")}
        try:
            said = Outcome.model_validate(parts).model_dump(exclude_defaults=True)
        except ValidationError as error:
            problems |= {
                outcome_name(way, str(detail["loc"][0])): f"It {message(detail)}."
                for detail in error.errors()
            }
            continue
        found |= {way: said} if said else {}
    return found, problems


def zone_field(stored: str) -> forms.Field:
    """The time zones that there are, and the one that is stored."""
    names = zones()
    return forms.ChoiceField(
        label="Time zone",
        help_text="Of these hours. It follows the change between summer and winter time.",
        initial=stored,
        choices=[(zone, zone) for zone in (names if stored in names else (stored, *names))],
        widget=UnfoldAdminSelectWidget(),
    )
