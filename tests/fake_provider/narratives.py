"""What the fake model retells of an interview, and which facts it finds there.

It says what was said, line by line. For a test, `reply("Retold", lie(…))` makes it lie instead.
"""

import re
from collections.abc import Iterable
from typing import Any

from tests.fake_provider.asked import Asked

LINE = re.compile(r"^\[(\d+)\] Participant: (.+)$", re.M)
TOPIC = re.compile(r"^(\d+)\. ", re.M)
LONGEST = 12  # words of a quote
RETOLD, FACTS = 20, 60  # statements
Said = tuple[str, Iterable[tuple[int, str]]]  # a statement, its quotes: position and text


def retold(asked: Asked) -> dict[str, Any]:
    """A statement a line, spread over the topics in their order."""
    return _told(asked, RETOLD, "They told of it: {}.")


def facts(asked: Asked) -> dict[str, Any]:
    """A fact a line, likewise."""
    return _told(asked, FACTS, "It was said: {}.")


def lie(*statements: Said, topic: int = 1) -> dict[str, Any]:
    """These statements under one topic, whatever was said."""
    told = [
        {"text": text, "quotes": [{"position": place, "text": words} for place, words in quotes]}
        for text, quotes in statements
    ]
    return {"topics": [{"topic": topic, "statements": told}]}


def _told(asked: Asked, most: int, saying: str) -> dict[str, Any]:
    lines = LINE.findall(asked.inside("interview"))[:most]
    topics = max(1, len(TOPIC.findall(asked.inside("topics"))))
    found: dict[int, list[dict[str, Any]]] = {}
    for place, (position, text) in enumerate(lines):
        words = " ".join(text.split()[:LONGEST])
        quote = {"position": int(position), "text": words}
        statement = {"text": saying.format(words.rstrip(".")), "quotes": [quote]}
        found.setdefault(1 + place * topics // len(lines), []).append(statement)
    return {"topics": [{"topic": topic, "statements": told} for topic, told in found.items()]}
