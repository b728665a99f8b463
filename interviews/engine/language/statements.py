"""Plain looks at a statement that a model wrote, before it is kept."""

from functools import cache
from pathlib import Path

from interviews.engine.language.sentences import quotes
from plans.text import tidy

SHOWN = 90  # characters of a statement in a finding


def one_line(text: str) -> str:
    """A model's text as it is kept: on one line, without what no text needs."""
    return " ".join(tidy(text).split())


def repeats_instructions(text: str, prompt: Path, *private: str) -> bool:
    """Whether it gives away what the model was told, in that file or in these words."""
    return quotes(text, [_told(prompt), *private])


def shortened(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN].rstrip()}…"


@cache
def _told(prompt: Path) -> str:
    return prompt.read_text(encoding="utf-8")
