import re
from functools import cache
from pathlib import Path
from typing import Literal

import yaml

FILE = Path(__file__).parent / "lexicon.yaml"
ListName = Literal["vague", "empty_fact"]


@cache
def listed(name: ListName) -> re.Pattern[str]:
    lists: dict[str, list[str]] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return re.compile("|".join(f"(?:{one})" for one in lists[name]))
