"""What the fake model finds in the answers of a laddering interview, and asks next."""

import re
import zlib
from typing import Any

from tests.fake_provider.asked import Asked
from tests.readings import READ

TYPES = re.compile(r'"type": "([\w-]+)",\s*"name"')
THEN = re.compile(r"\b(?:because|so that|which means|which makes|and that|since)\b|[,.;]", re.I)
DEEP = 20  # words
LONGEST = 6  # words of a concept, as it is told
ASKING = (
    "What does “{focus}” do for you on an ordinary evening?",
    "Why does it matter to you that “{focus}”?",
    "What would be missing without “{focus}”?",
    "When did “{focus}” last make a difference?",
    "How do you feel once “{focus}” is there?",
    "Whom else does “{focus}” concern?",
)


def found(asked: Asked) -> dict[str, Any]:
    """Each clause is a rung higher than the one before, which leads to it; the highest is first."""
    types = list(dict.fromkeys(TYPES.findall(asked.inside("ladder") or asked.system)))
    types = types or list(dict.fromkeys(TYPES.findall(asked.system + asked.message)))
    parts = [part.strip() for part in THEN.split(asked.answer) if len(part.split()) > 1]
    texts = [" ".join(part.split()[:LONGEST]) for part in parts[: len(types)]]
    lines = [f"{text} | {rung}" for rung, text in enumerate(texts, start=1)]
    return {
        **READ,
        "concepts": lines[::-1],
        "relations": [f"{one} | {one - 1}" for one in range(len(texts), 1, -1)],
    }


def heard(asked: Asked) -> dict[str, Any]:
    """Deep where it is long."""
    words = len(asked.answer.split())
    depth = "deep" if words > DEEP else "moderate" if words > DEEP // 2 else "shallow"
    return {"depth": depth, "sentiment": "neutral", "topics": []}


def question(asked: Asked) -> str:
    """One about the focus, the same however far the graph was guessed when it was asked for."""
    focus = asked.inside("focus") or "it"
    chosen = zlib.crc32(f"{focus} {asked.answer}".encode("utf-8", "replace"))
    return ASKING[chosen % len(ASKING)].format(focus=focus[:80])


def is_question(asked: Asked) -> bool:
    """Whether the next question of a laddering interview is to be put into words."""
    return asked.schema is None and "<focus>" in asked.message and "<tied>" in asked.message
