"""Protected characteristics: never a criterion, and reported if a text mentions one."""

import re
from functools import cache
from pathlib import Path

import yaml

LEXICON = Path(__file__).parent / "protected.yaml"


def protected_in(text: str) -> dict[str, str]:
    found = {about: pattern.search(text) for about, pattern in _patterns().items()}
    return {about: match[0] for about, match in found.items() if match}


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    lists: dict[str, list[str]] = yaml.safe_load(LEXICON.read_text(encoding="utf-8"))
    return {
        about: re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.I)
        for about, words in lists.items()
    }
