"""Form fields for link parameters and for the outcomes of people who don't take part."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from django import forms
from django.utils.text import capfirst
from pydantic import ValidationError
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from plans.forms.fields import Names
from plans.models.eligibility import (
    LONGEST_ADDRESS,
    LONGEST_CODE,
    LONGEST_NAME,
    MOST_CELLS,
    MOST_PARAMS,
    WAYS,
    Outcome,
    cells_of,
    params_of,
    zones,
)
from plans.portability.validation import message

FEWEST_ROWS, SPARE_ROWS = 2, 1
Collected = tuple[Any, dict[str, str]]


class ParamFields(NamedTuple):
    name: str
    aliases: str
    required: str
    once: str


class CellFields(NamedTuple):
    name: str
    wanted: str
    when: str


Row = TypeVar("Row", ParamFields, CellFields)


CELL_HELP = "What you call these people, such as: women under 40. Leave empty if not used."
WANTED_HELP = "Completed interviews and those under way count."
WHEN_HELP = (
    "Link parameters, start questions or the language, and their values: gender = f; age = 18-29, "
    "30-39; language = it. All must hold. People count in the first cell that fits."
)
CELL_PROBLEMS = {
    "name": "Give the cell a name.",
    "wanted": "Write how many interviews you want, as a number.",
    "when": "Write at least one condition, such as gender = f.",
}
NAME_HELP = "The name it is stored under, and {NAME} in addresses. Leave empty if not used."
ALIASES_HELP = "Other spellings, separated by commas. Capitals make no difference."
REQUIRED_HELP = "If on, nobody can start from a link without it."
ONCE_HELP = "If on, it identifies a person, who can take part once."
CODE_HELP = "Shown to them, so that their panel can count them. Leave empty for none."
URL_HELP = (
    "Where a button takes them. {PROLIFIC_PID} and other parameters from the link are filled in. "
    "Leave empty for none."
)


def param_rows(stored: Sequence[Mapping[str, Any]]) -> list[ParamFields]:
    return _rows(ParamFields, "param", len(stored), MOST_PARAMS)


def cell_rows(stored: Sequence[Mapping[str, Any]]) -> list[CellFields]:
    return _rows(CellFields, "cell", len(stored), MOST_CELLS)


def _rows(kind: type[Row], prefix: str, stored: int, most: int) -> list[Row]:
    """Return the fields of as many rows as are stored, with empty ones after them."""
    numbers = range(min(most, max(FEWEST_ROWS, stored + SPARE_ROWS)))
    return [kind(*(f"{prefix}_{number}_{part}" for part in kind._fields)) for number in numbers]


def param_fields(stored: Sequence[Mapping[str, Any]]) -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = {}
    for number, row in enumerate(param_rows(stored)):
        param = stored[number] if number < len(stored) else {}
        help = (NAME_HELP, ALIASES_HELP, REQUIRED_HELP, ONCE_HELP) if not number else ("",) * 4
        label, aliases = f"Parameter {number + 1}", [*param.get("aliases", ())]
        fields[row.name] = _text_field(label, param.get("name", ""), LONGEST_NAME, help[0])
        fields[row.aliases] = Names(
            label="Other spellings", required=False, initial=aliases, help_text=help[1]
        )
        required, once = bool(param.get("required")), bool(param.get("once"))
        fields[row.required] = _switch_field(f"{label} is required", required, help[2])
        fields[row.once] = _switch_field(f"{label}: one interview per value", once, help[3])
    return fields


def _switch_field(label: str, value: bool, help_text: str) -> forms.Field:
    widget = UnfoldBooleanSwitchWidget()
    return forms.BooleanField(
        label=label, required=False, initial=value, help_text=help_text, widget=widget
    )


def _text_field(label: str, value: str, max_length: int, help_text: str) -> forms.Field:
    return forms.CharField(
        label=label,
        required=False,
        initial=value,
        max_length=max_length,
        help_text=help_text,
        widget=UnfoldAdminTextInputWidget(),
    )


def collect_params(cleaned: Mapping[str, Any], rows: Sequence[ParamFields]) -> Collected:
    """Return the parameters in a form's data, and messages by form field."""
    named = [row for row in rows if cleaned.get(row.name) or cleaned.get(row.aliases)]
    data = [
        {
            "name": cleaned.get(row.name) or "",
            "aliases": cleaned.get(row.aliases) or [],
            "required": bool(cleaned.get(row.required)),
            "once": bool(cleaned.get(row.once)),
        }
        for row in named
    ]
    try:
        params = params_of(data)
    except ValidationError as error:
        return [], _row_problems(error, named, {})
    return [param.model_dump(mode="json") for param in params], {}


def _row_problems(
    error: ValidationError, rows: Sequence[Any], texts: Mapping[str, str]
) -> dict[str, str]:
    """Return messages by form field; one about several rows is shown at the first."""
    problems = {}
    for detail in error.errors():
        number, part = (*detail["loc"], 0, "name")[:2] if detail["loc"] else (0, "name")
        known = texts.get(str(part)) if detail["type"] != "value_error" else None
        field = getattr(rows[int(number)], str(part), rows[int(number)].name)
        problems[field] = known or f"{capfirst(message(detail))}."
    return problems


def cell_fields(stored: Sequence[Mapping[str, Any]]) -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = {}
    for number, row in enumerate(cell_rows(stored)):
        cell = stored[number] if number < len(stored) else {}
        help = (CELL_HELP, WANTED_HELP, WHEN_HELP) if not number else ("", "", "")
        when = _joined_conditions(cell.get("when", {}))
        wanted = str(cell.get("wanted", ""))
        fields[row.name] = _text_field(
            f"Cell {number + 1}", cell.get("name", ""), LONGEST_NAME, help[0]
        )
        fields[row.wanted] = _text_field("Interviews wanted", wanted, 7, help[1])
        fields[row.when] = _text_field("People with", when, 2000, help[2])
    return fields


def collect_cells(
    cleaned: Mapping[str, Any], rows: Sequence[CellFields], stored: Sequence[Mapping[str, Any]] = ()
) -> Collected:
    """Return the quota cells in a form's data, and messages by form field.

    `stored` are the cells that the form shows. Conditions that weren't changed stay as they are,
    since a file may hold values with commas.
    """
    used = [row for row in rows if any(cleaned.get(field) for field in row)]
    before = {row: cell.get("when", {}) for row, cell in zip(rows, stored, strict=False)}
    typed = {row: cleaned.get(row.when) or "" for row in used}
    changed = [row for row in used if typed[row] != _joined_conditions(before.get(row, {})).strip()]
    problems = {row.when: problem for row in changed if (problem := _condition_problem(typed[row]))}
    if problems:
        return [], problems
    data = [
        {
            "name": cleaned.get(row.name) or "",
            "wanted": cleaned.get(row.wanted) or None,
            "when": _split_conditions(typed[row]) if row in changed else before.get(row, {}),
        }
        for row in used
    ]
    try:
        cells = cells_of(data)
    except ValidationError as error:
        return [], _row_problems(error, used, CELL_PROBLEMS)
    return [cell.model_dump(mode="json") for cell in cells], {}


def _joined_conditions(when: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{name} = {', '.join(values)}" for name, values in when.items())


def _condition_problem(text: str) -> str:
    """Return what is wrong with conditions that nobody could meet, or that say a name twice."""
    names = [part.partition("=")[0].strip().casefold() for part in text.split(";") if part.strip()]
    if twice := [name for name in names if names.count(name) > 1]:
        return f"“{twice[0]}” is there twice. Separate its values by commas."
    empty = [name for name, values in _split_conditions(text).items() if not values]
    return f"“{empty[0]}” has no value. Write it as {empty[0]} = …" if empty else ""


def _split_conditions(text: str) -> dict[str, list[str]]:
    """Return the values by name of “gender = f; age = 18-29, 30-39”."""
    parts = (part.partition("=") for part in text.split(";") if part.strip())
    return {
        name.strip(): [value.strip() for value in values.split(",") if value.strip()]
        for name, _, values in parts
    }


def outcome_name(way: str, part: str) -> str:
    return f"outcome_{way}_{part}"


def outcome_rows() -> list[tuple[str, str]]:
    return [(outcome_name(way, "code"), outcome_name(way, "url")) for way in WAYS]


def outcome_fields(stored: Mapping[str, Any]) -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = {}
    for way in WAYS:
        outcome = stored.get(way) or {}
        code, url = outcome_name(way, "code"), outcome_name(way, "url")
        fields[code] = _text_field(
            f"Code when {way}", outcome.get("code", ""), LONGEST_CODE, CODE_HELP
        )
        fields[url] = _text_field(
            f"Address when {way}", outcome.get("url", ""), LONGEST_ADDRESS, URL_HELP
        )
    return fields


def collect_outcomes(cleaned: Mapping[str, Any]) -> Collected:
    found: dict[str, Any] = {}
    problems: dict[str, str] = {}
    for way in WAYS:
        parts = {part: cleaned.get(outcome_name(way, part)) or "" for part in ("code", "url")}
        try:
            outcome = Outcome.model_validate(parts).model_dump(exclude_defaults=True)
        except ValidationError as error:
            problems |= {
                outcome_name(way, str(detail["loc"][0])): f"It {message(detail)}."
                for detail in error.errors()
            }
            continue
        found |= {way: outcome} if outcome else {}
    return found, problems


def zone_field(stored: str) -> forms.Field:
    names = zones()
    return forms.ChoiceField(
        label="Time zone",
        help_text="For these hours. It follows daylight saving time.",
        initial=stored,
        choices=[(zone, zone) for zone in (names if stored in names else (stored, *names))],
        widget=UnfoldAdminSelectWidget(),
    )
