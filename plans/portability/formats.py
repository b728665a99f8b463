import re
from collections.abc import Sequence
from typing import Literal

from plans.portability.grouped_rows import QUESTIONS

Format = Literal["json", "yaml", "csv"]
SEPARATORS = re.compile("[,;\t]")
ENDINGS: dict[str, Format] = {".json": "json", ".yaml": "yaml", ".yml": "yaml", ".csv": "csv"}
HEADS = {"format", "version"}  # fields that say what a file holds


def detect(text: str, name: str = "", columns: Sequence[str] = QUESTIONS.columns) -> Format:
    """Return the format by the file name's ending, else by how the text begins."""
    for ending, known in ENDINGS.items():
        if name.lower().endswith(ending):
            return known
    if text.lstrip().startswith(("{", "[")):
        return "json"
    first = SEPARATORS.split(text.lstrip().split("\n", 1)[0].lower(), 1)[0]
    return "csv" if first.strip(' "') in columns else "yaml"
