from collections.abc import Mapping
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminTextInputWidget

from plans.forms.fields import Lines

TIERS = {
    "main": "Plans the interview and phrases what the interviewer says.",
    "fast": "Takes notes and does small tasks; cheaper and faster.",
}
TASKS = "model_tasks"


def model_fields(stored: Mapping[str, str]) -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = {
        f"model_{tier}": forms.CharField(
            label=f"{tier.capitalize()} model",
            required=False,
            max_length=120,
            initial=stored.get(tier, ""),
            help_text=f"{what} Leave empty to use the site's.",
            widget=UnfoldAdminTextInputWidget(),
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


def collect_models(cleaned: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the overrides in a form's data, and messages by form field."""
    chosen = {tier: cleaned.get(f"model_{tier}", "").strip() for tier in TIERS}
    for line in cleaned.get(TASKS) or []:
        task, separator, model = (part.strip() for part in line.partition(":"))
        if not (task and separator and model):
            return {}, {TASKS: f"“{line}” should look like “task: model”."}
        chosen[task] = model
    return {name: model for name, model in chosen.items() if model}, {}
