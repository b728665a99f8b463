"""Fixed texts of summary and package, by language."""

from collections.abc import Callable
from pathlib import Path

from interviews.engine.texts import fixed

FOLDER = Path(__file__).parent / "texts"
Say = Callable[..., str]


def phrasebook(language: str) -> Say:
    """Return a function that gives a text by its key, filled in; English as a last resort."""

    def say(key: str, **values: object) -> str:
        text = fixed(language, key, folder=FOLDER)
        return text.format(**values) if values else text

    return say
