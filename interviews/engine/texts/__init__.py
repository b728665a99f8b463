import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from llm.tasks.yaml_files import read_yaml_file

FOLDER = Path(__file__).parent
LEAST_SECONDS = 45  # less isn't called a minute
NAME = "{participant_name}"
PLACE = re.compile(r"\{\w+\}")
# Where no name was given: its commas go with it, and what follows it begins the sentence.
NAME_FIRST = re.compile(
    rf"(?P<begins>^\s*|[.!?…؟]\s+){re.escape(NAME)}(?:[,،!]\s*|\s+)(?P<next>\w?)"
)
NAME_WITHIN = re.compile(
    rf"[,،]\s*+{re.escape(NAME)}[,،]?|(?<!\s)\s*+{re.escape(NAME)}"  # in linear time
)
COMMAS = {"ar": "،", "fa": "،", "ur": "،"}  # before a name; others write ","


@cache
def _texts(language: str, folder: Path = FOLDER) -> dict[str, list[str]]:
    path = folder / f"{language.split('-')[0]}.yaml"
    found: dict[str, list[str]] = read_yaml_file(path if path.exists() else folder / "en.yaml")
    return found


def wordings(language: str, key: str, folder: Path = FOLDER) -> list[str]:
    return _texts(language, folder)[key]


def has_texts(language: str, folder: Path) -> bool:
    return (folder / f"{language.split('-')[0]}.yaml").exists()


def fixed(
    language: str,
    key: str,
    turn: int = 0,
    used: Iterable[str] = (),
    *,
    folder: Path = FOLDER,
    **words: str,
) -> str:
    """Return the wording that was said longest ago in `used`, starting from the turn's number.

    Deterministic, so that replays agree. `words` fill the {places}.
    """
    every, lines = wordings(language, key, folder), list(used)
    start = turn % len(every)
    text = min(every[start:] + every[:start], key=lambda one: _last_said(one, lines))
    for name, value in words.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def time_left(language: str, seconds: float) -> str:
    """Return how much time is left, in the grammatical number that the language has for it."""
    minutes = round(seconds / 60)
    forms = wordings(language, "time_left")
    return forms[_time_form(language, seconds, minutes)].replace("{minutes}", str(minutes))


def _time_form(language: str, seconds: float, minutes: int) -> int:
    if seconds <= 0:
        return 0
    if seconds < LEAST_SECONDS:
        return 1
    if minutes <= 2:
        return 1 + minutes
    if language.startswith("ru"):
        return 4 if minutes % 10 == 1 and minutes % 100 != 11 else 5
    return 4 if minutes % 100 in range(3, 11) else 5


def _last_said(wording: str, lines: Sequence[str]) -> int:
    """Return the place of the last line that holds it, known by its longest part; -1 if none."""
    part = max(PLACE.split(wording), key=len)
    return max((place for place, line in enumerate(lines) if part in line), default=-1)


def addressed(name: str, language: str) -> str:
    comma = COMMAS.get(language.split("-")[0], ",")
    return f"{comma} {name.strip()}" if name.strip() else ""


def named(text: str, name: str) -> str:
    if name.strip():
        return text.replace(NAME, name.strip()).strip()
    text = NAME_FIRST.sub(lambda found: found["begins"] + found["next"].upper(), text)
    return NAME_WITHIN.sub("", text).strip()
