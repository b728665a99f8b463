"""Form fields for the way in and out: what a bot's links bring, and what others get."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from pydantic import ValidationError
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from plans.entrance import (
    LONGEST_ADDRESS,
    LONGEST_CODE,
    LONGEST_NAME,
    MOST_PARAMS,
    WAYS,
    Outcome,
    params_of,
    zones,
)
from plans.portability.checking import message

FEWEST_ROWS, SPARE_ROWS = 2, 1
Collected = tuple[Any, dict[str, str]]
NAME_HELP = "The name that it is kept by, and {NAME} in addresses. Empty: not used."
ALIASES_HELP = "Other spellings, with commas between. Capitals make no difference."
REQUIRED_HELP = "On: a link without it is incomplete, and nobody can begin with it."
CODE_HELP = "Shown to them, so that their panel can count it. Empty: none."
URL_HELP = (
    "A button leads there. {PROLIFIC_PID} and other parameters that came with the link are filled "
    "in. Empty: none."
)
OUTCOME_PARTS = (
    ("code", "code", LONGEST_CODE, CODE_HELP),
    ("url", "address", LONGEST_ADDRESS, URL_HELP),
)


def param_rows(stored: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, str]]:
    """The form fields of each parameter: those stored, and empty ones for more."""
    count = min(MOST_PARAMS, max(FEWEST_ROWS, len(stored) + SPARE_ROWS))
    return [_row(number) for number in range(count)]


def _row(number: int) -> tuple[str, str, str]:
    return f"param_{number}_name", f"param_{number}_aliases", f"param_{number}_required"


def param_fields(stored: Sequence[Mapping[str, Any]]) -> dict[str, forms.Field]:
    """Three fields for each parameter of the link."""
    fields: dict[str, forms.Field] = {}
    for number, (name, aliases, required) in enumerate(param_rows(stored)):
        given = stored[number] if number < len(stored) else {}
        why = (NAME_HELP, ALIASES_HELP, REQUIRED_HELP) if not number else ("", "", "")
        fields[name] = _line(f"Parameter {number + 1}", given.get("name", ""), LONGEST_NAME, why[0])
        also = ", ".join(given.get("aliases", ()))
        fields[aliases] = _line("Also written", also, 1000, why[1])
        fields[required] = forms.BooleanField(
            label=f"Parameter {number + 1} is required",
            required=False,
            initial=bool(given.get("required")),
            help_text=why[2],
            widget=UnfoldBooleanSwitchWidget(),
        )
    return fields


def _line(label: str, value: str, longest: int, why: str) -> forms.Field:
    return forms.CharField(
        label=label,
        required=False,
        initial=value,
        max_length=longest,
        help_text=why,
        widget=UnfoldAdminTextInputWidget(),
    )


def collect_params(cleaned: Mapping[str, Any], rows: Sequence[tuple[str, str, str]]) -> Collected:
    """The parameters that a form's data states, and messages by form field."""
    named = [row for row in rows if cleaned.get(row[0]) or cleaned.get(row[1])]
    data = [
        {
            "name": cleaned.get(name) or "",
            "aliases": _spelled(cleaned.get(aliases) or ""),
            "required": bool(cleaned.get(required)),
        }
        for name, aliases, required in named
    ]
    try:
        params = params_of(data)
    except ValidationError as error:
        return [], dict(_placed(detail, named) for detail in error.errors())
    return [param.model_dump(mode="json") for param in params], {}


def _spelled(aliases: str) -> list[str]:
    return list(dict.fromkeys(part for one in aliases.split(",") if (part := one.strip())))


def _placed(detail: Any, rows: Sequence[tuple[str, str, str]]) -> tuple[str, str]:
    """The field that an error is about; the first one where it is about several rows."""
    number, part = (*detail["loc"], 0, "name")[:2] if detail["loc"] else (0, "name")
    name, aliases, _required = rows[number]
    said = message(detail)
    return (aliases if part == "aliases" else name), said[:1].upper() + said[1:] + "."


def outcome_name(way: str, part: str) -> str:
    """The form field of the code or the address of one way of not taking part."""
    return f"outcome_{way}_{part}"


def outcome_rows() -> list[tuple[str, str]]:
    """Those of all ways."""
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
        choices=[(zone, zone) for zone in (names if stored in names else [stored, *names])],
        widget=UnfoldAdminSelectWidget(),
    )
