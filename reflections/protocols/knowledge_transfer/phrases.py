"""The fixed words of summary and package, by language."""

from collections.abc import Callable
from pathlib import Path

from interviews.engine.texts import fixed

FOLDER = Path(__file__).parent / "texts"
Say = Callable[..., str]


def sayings(language: str) -> Say:
    """A function that gives a fixed text by its key, filled in; English where there is no other."""

    def say(key: str, **values: object) -> str:
        text = fixed(language, key, folder=FOLDER)
        return text.format(**values) if values else text

    return say
