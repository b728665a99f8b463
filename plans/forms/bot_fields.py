"""Form fields for what a bot stores as JSON, and for its texts."""

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any, cast

from django import forms
from django.db import models
from django.utils.text import capfirst
from pydantic import ValidationError
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from plans.forms.fields import Lines, Names, TidyText
from plans.models import Bot, BotText
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
from plans.protocols import Texts

FEWEST_ROWS, SPARE_ROWS = 2, 1
Collected = tuple[Any, dict[str, str]]


@dataclass(frozen=True)
class TypedRows:
    """Rows of fields like those of `form`: as many as are stored, and an empty one to fill in."""

    prefix: str
    form: type[forms.Form]
    most: int

    def names(self, stored: Sequence[Any]) -> list[dict[str, str]]:
        """Return the names of each row's fields."""
        numbers = range(min(self.most, max(FEWEST_ROWS, len(stored) + SPARE_ROWS)))
        parts = self.form.base_fields
        return [{part: f"{self.prefix}_{number}_{part}" for part in parts} for number in numbers]

    def fields(self, stored: Sequence[Mapping[str, Any]]) -> dict[str, forms.Field]:
        """Return the fields of all rows; what they mean is said in the first."""
        fields: dict[str, forms.Field] = {}
        for number, row in enumerate(self.names(stored)):
            values = stored[number] if number < len(stored) else {}
            for part, name in row.items():
                fields[name] = field = deepcopy(self.form.base_fields[part])
                field.label = str(field.label).format(number + 1)
                field.help_text = "" if number else field.help_text
                field.initial = values.get(part)
        return fields


def _line_field(label: str, max_length: int, help_text: str, initial: str = "") -> forms.Field:
    return forms.CharField(
        label=label,
        required=False,
        initial=initial,
        max_length=max_length,
        help_text=help_text,
        widget=UnfoldAdminTextInputWidget(),
    )


def _switch_field(label: str, help_text: str) -> forms.Field:
    widget = UnfoldBooleanSwitchWidget()
    return forms.BooleanField(label=label, required=False, help_text=help_text, widget=widget)


class ParamRow(forms.Form):
    name = _line_field(
        "Parameter {}",
        LONGEST_NAME,
        "The name it is stored under, and {NAME} in addresses. Leave empty if not used.",
    )
    aliases = Names(
        label="Other spellings",
        required=False,
        help_text="Other spellings, separated by commas. Capitals make no difference.",
    )
    required = _switch_field(
        "Parameter {} is required", "If on, nobody can start from a link without it."
    )
    once = _switch_field(
        "Parameter {}: one interview per value",
        "If on, it identifies a person, who can take part once.",
    )


class CellRow(forms.Form):
    name = _line_field(
        "Cell {}",
        LONGEST_NAME,
        "What you call these people, such as: women under 40. Leave empty if not used.",
    )
    wanted = _line_field("Interviews wanted", 7, "Completed interviews and those under way count.")
    when = _line_field(
        "People with",
        2000,
        "Link parameters, start questions or the language, and their values: gender = f; "
        "age = 18-29, 30-39; language = it. All must hold. People count in the first cell that "
        "fits.",
    )


PARAMS = TypedRows("param", ParamRow, MOST_PARAMS)
CELLS = TypedRows("cell", CellRow, MOST_CELLS)
CELL_PROBLEMS = {
    "name": "Give the cell a name.",
    "wanted": "Write how many interviews you want, as a number.",
    "when": "Write at least one condition, such as gender = f.",
}
CODE_HELP = "Shown to them, so that their panel can count them. Leave empty for none."
URL_HELP = (
    "Where a button takes them. {PROLIFIC_PID} and other parameters from the link are filled in. "
    "Leave empty for none."
)


def collect_params(cleaned: Mapping[str, Any], stored: Sequence[Mapping[str, Any]]) -> Collected:
    """Return the parameters in a form's data, and messages by form field."""
    rows = PARAMS.names(stored)
    named = [row for row in rows if cleaned.get(row["name"]) or cleaned.get(row["aliases"])]
    try:
        params = params_of(
            {part: cleaned[name] for part, name in row.items() if name in cleaned} for row in named
        )
    except ValidationError as error:
        return [], _row_problems(error, named, {})
    return [param.model_dump(mode="json") for param in params], {}


def _row_problems(
    error: ValidationError, rows: Sequence[Mapping[str, str]], texts: Mapping[str, str]
) -> dict[str, str]:
    """Return messages by form field; one about several rows is shown at the first."""
    problems = {}
    for detail in error.errors():
        number, part = (*detail["loc"], 0, "name")[:2] if detail["loc"] else (0, "name")
        row, known = rows[int(number)], texts.get(str(part))
        own = known if detail["type"] != "value_error" else None
        problems[row.get(str(part), row["name"])] = own or f"{capfirst(message(detail))}."
    return problems


def cell_fields(stored: Sequence[Mapping[str, Any]]) -> dict[str, forms.Field]:
    return CELLS.fields(
        [{**cell, "when": _joined_conditions(cell.get("when", {}))} for cell in stored]
    )


def collect_cells(cleaned: Mapping[str, Any], stored: Sequence[Mapping[str, Any]]) -> Collected:
    """Return the quota cells in a form's data, and messages by form field.

    `stored` are the cells that the form shows. Conditions that weren't changed stay as they are,
    since a file may hold values with commas.
    """
    used, data, problems = list[dict[str, str]](), list[dict[str, Any]](), dict[str, str]()
    for row, cell in zip(CELLS.names(stored), chain(stored, repeat({})), strict=False):
        typed = {part: cleaned.get(name) or "" for part, name in row.items()}
        if any(typed.values()):
            when, before = typed["when"], cell.get("when", {})
            changed = when != _joined_conditions(before).strip()
            if changed and (problem := _condition_problem(when)):
                problems[row["when"]] = problem
            used.append(row)
            read = _split_conditions(when) if changed else before
            data.append(typed | {"wanted": typed["wanted"] or None, "when": read})
    try:
        cells = cells_of(data)
    except ValidationError as error:
        return [], _row_problems(error, used, CELL_PROBLEMS) | problems
    if problems:
        return [], problems
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
        fields[code] = _line_field(
            f"Code when {way}", LONGEST_CODE, CODE_HELP, outcome.get("code", "")
        )
        fields[url] = _line_field(
            f"Address when {way}", LONGEST_ADDRESS, URL_HELP, outcome.get("url", "")
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


TIERS = {
    "main": "Plans the interview and phrases what the interviewer says.",
    "fast": "Takes notes and does small tasks; cheaper and faster.",
}
TASKS = "model_tasks"


def model_fields(stored: Mapping[str, str]) -> dict[str, forms.Field]:
    fields = {
        f"model_{tier}": _line_field(
            f"{tier.capitalize()} model",
            120,
            f"{what} Leave empty to use the site's.",
            stored.get(tier, ""),
        )
        for tier, what in TIERS.items()
    }
    others = [f"{task}: {model}" for task, model in stored.items() if task not in TIERS]
    fields[TASKS] = Lines(
        label="Models for single tasks",
        required=False,
        initial=others,
        help_text="For one task only, as “task: model”, one per line. The call log shows the "
        "names of tasks.",
    )
    return fields


def collect_models(cleaned: Mapping[str, Any]) -> Collected:
    """Return the overrides in a form's data, and messages by form field."""
    chosen = {tier: cleaned.get(f"model_{tier}", "").strip() for tier in TIERS}
    for line in cleaned.get(TASKS) or []:
        task, separator, model = (part.strip() for part in line.partition(":"))
        if not (task and separator and model):
            return {}, {TASKS: f"“{line}” should look like “task: model”."}
        chosen[task] = model
    return {name: model for name, model in chosen.items() if model}, {}


NAMES = tuple(Texts.model_fields)


def text_field(language: str, name: str) -> str:
    return f"text__{language}__{name}"


def text_fields(bot: Bot, languages: Iterable[str]) -> dict[str, forms.Field]:
    stored = {text.language: text for text in bot.texts.all()}
    return {
        text_field(language, name): _form_field(name, getattr(stored.get(language), name, ""))
        for language in languages
        for name in NAMES
    }


def _form_field(name: str, value: str) -> forms.Field:
    column = cast("models.Field[Any, Any]", BotText._meta.get_field(name))
    return TidyText(
        label=str(column.verbose_name).capitalize(),
        required=False,
        initial=value,
        help_text=str(column.help_text),
        max_length=column.max_length,
        widget=UnfoldAdminTextInputWidget if column.max_length else UnfoldAdminTextareaWidget,
    )


def collect_texts(languages: Iterable[str], cleaned: Mapping[str, Any]) -> dict[str, Texts]:
    return {
        language: Texts(**{name: cleaned.get(text_field(language, name)) or "" for name in NAMES})
        for language in languages
    }
