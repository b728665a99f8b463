"""Phrases that mean the same to every protocol, as data in phrases.yaml."""

import re
from functools import cache
from pathlib import Path
from typing import Literal

import yaml

FILE = Path(__file__).parent / "phrases.yaml"
ListName = Literal["asks_back", "praise", "praise_begins"]


@cache
def listed(name: ListName) -> re.Pattern[str]:
    """One pattern for a list, over plain text."""
    lists: dict[str, list[str]] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return re.compile("|".join(f"(?:{one})" for one in lists[name]))
