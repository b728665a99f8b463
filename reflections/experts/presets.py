from pathlib import Path
from typing import Any

from django.apps import apps as current
from django.apps.registry import Apps

from llm.tasks.yaml_files import read_yaml_file
from reflections.models import Expert

FILE = Path(__file__).parent / "shipped.yaml"


def create_presets(apps: Apps = current, **signal: Any) -> None:
    """Create each shipped expert that never existed; people's changes and deletions stay.

    Called after every migration, also one back to where there are no experts.
    """
    if "expert" not in apps.all_models["reflections"]:
        return
    # the history also has the keys of deleted experts
    rows = (Expert.objects, Expert.history)
    known = {key for manager in rows for key in manager.values_list("key", flat=True)}
    for position, one in enumerate(read_presets()):
        if one["key"] not in known:
            Expert.objects.create(position=position, **one)


def read_presets() -> list[dict[str, str]]:
    experts: list[dict[str, str]] = read_yaml_file(FILE)
    return [{name: text.strip() for name, text in one.items()} for one in experts]
