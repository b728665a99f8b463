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
    return _texts(language, folder)[key]


def has_texts(language: str, folder: Path = FOLDER) -> bool:
    return (folder / f"{language.split('-')[0]}.yaml").exists()


def fixed(
    language: str,
    key: str,
    used: Iterable[str] = (),
    turn: int = 0,
    folder: Path = FOLDER,
    words: Mapping[str, str] = {},
) -> str:
    """Return the first wording not in `used`, starting from the turn's number.

    Deterministic, so that replays agree. `words` fill the {places}.
    """
    every, lines = wordings(language, key, folder), list(used)
    start = turn % len(every)
    rotated = every[start:] + every[:start]
    text = next((one for one in rotated if not any(one in line for line in lines)), rotated[0])
    for name, value in words.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def addressed(name: str, language: str) -> str:
    comma = COMMAS.get(language.split("-")[0], ",")
    return f"{comma} {name.strip()}" if name.strip() else ""


def named(text: str, name: str) -> str:
    if not name.strip():  # its place closes up
        for gap in (*(f"{comma} {NAME}" for comma in (",", *COMMAS.values())), f" {NAME}"):
            text = text.replace(gap, "")
    return text.replace(NAME, name.strip()).strip()
