import re
from functools import cache
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict

FILE = Path(__file__).parent / "words.yaml"


class EffortWordLists(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    empty: tuple[str, ...]
    brief: tuple[str, ...]
    keys: tuple[str, ...]
    vowels: str


@cache
def words() -> EffortWordLists:
    return EffortWordLists.model_validate(yaml.safe_load(FILE.read_text(encoding="utf-8")))


@cache
def listed(name: Literal["empty", "brief"]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in getattr(words(), name)))


@cache
def rows() -> tuple[str, ...]:
    return tuple(row[::step] for row in words().keys for step in (1, -1))
