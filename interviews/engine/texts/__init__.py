"""The interviewer's fixed sentences by language, as data."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import yaml

FOLDER = Path(__file__).parent
NAME = "{participant_name}"
COMMAS = {"ar": "،", "fa": "،", "ur": "،"}  # before a name; others write ","


@cache
def _texts(language: str, folder: Path = FOLDER) -> dict[str, list[str]]:
    path = folder / f"{language.split('-')[0]}.yaml"
    chosen = path if path.exists() else folder / "en.yaml"
    found: dict[str, list[str]] = yaml.safe_load(chosen.read_text(encoding="utf-8"))
    return found


def wordings(language: str, key: str, folder: Path = FOLDER) -> list[str]:
    """All wordings of one sentence; English where the language has no file.

    A protocol keeps sentences of its own in a folder of its own.
    """
    return _texts(language, folder)[key]


def has_texts(language: str, folder: Path = FOLDER) -> bool:
    """Whether there are fixed sentences in that language."""
    return (folder / f"{language.split('-')[0]}.yaml").exists()


def fixed(
    language: str,
    key: str,
    used: Iterable[str] = (),
    turn: int = 0,
    folder: Path = FOLDER,
    words: Mapping[str, str] = {},
) -> str:
    """One wording: the first of those not used lately, beginning with the turn's number.

    The same turn with the same past always says the same. `words` fill its {places}.
    """
    every = wordings(language, key, folder)
    start = turn % len(every)
    rotated = every[start:] + every[:start]
    said = list(used)
    fresh = [text for text in rotated if not any(text in line for line in said)]
    text = (fresh or rotated)[0]
    for name, value in words.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def addressed(name: str, language: str) -> str:
    """What follows a greeting: the name after a comma, or nothing where there is none."""
    comma = COMMAS.get(language.split("-")[0], ",")
    return f"{comma} {name.strip()}" if name.strip() else ""


def named(text: str, name: str) -> str:
    """A script's text with the participant's name; without a name its place closes up."""
    if not name.strip():
        for gap in (*(f"{comma} {NAME}" for comma in (",", *COMMAS.values())), f" {NAME}"):
            text = text.replace(gap, "")
    return text.replace(NAME, name.strip()).strip()
