"""What the fake model observes in an interview, and how it condenses a part of one.

It says what was said, line by line. For a test, `reply("Observations", lie(…))` makes it lie.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from tests.fake_provider.asked import Asked

LINE = re.compile(r"^\[(\d+)\] Participant: (.+)$", re.M)
QUOTED = re.compile(r"\[(\d+)\] “([^”]+)”")  # in a part that was condensed
NUMBERED = re.compile(r"^(\d+)\. (.+)$", re.M)
LONGEST = 14  # words of a quote
MOST = 12  # observations
EVERY = 3  # lines that become one point
Said = tuple[str, Iterable[tuple[int, str]]]  # a statement, its quotes: position and text


def observations(asked: Asked) -> dict[str, Any]:
    """An observation a line, of lines that are spread over the interview."""
    found = asked.inside("transcript")
    lines = [*LINE.findall(found), *QUOTED.findall(found)]
    step = max(1, len(lines) // MOST)
    told = [_statement("It seems to matter to them: {}.", *one) for one in lines[::step][:MOST]]
    return {"observations": told}


def condensed(asked: Asked) -> dict[str, Any]:
    """A point every few lines."""
    return {"statements": list(_points(LINE.findall(asked.inside("part"))))}


def support(asked: Asked) -> dict[str, Any]:
    """All that is told is supported, but for the camels that nobody speaks of."""
    told = NUMBERED.findall(asked.inside("statements"))
    verdicts = [
        {"number": int(number), "verdict": "unsupported" if "camels" in text else "supported"}
        for number, text in told
    ]
    return {"verdicts": verdicts}


def lie(*observed: Said) -> dict[str, Any]:
    """These observations, whatever was said."""
    return {
        "observations": [
            {"text": text, "quotes": [{"position": place, "text": words} for place, words in said]}
            for text, said in observed
        ]
    }


def _points(lines: list[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    for place in range(0, len(lines), EVERY):
        quotes = [_quote(*line) for line in lines[place : place + EVERY]]
        yield {"text": "They told several things.", "quotes": quotes}


def _statement(saying: str, position: str, text: str) -> dict[str, Any]:
    quote = _quote(position, text)
    return {"text": saying.format(quote["text"].rstrip(".")), "quotes": [quote]}


def _quote(position: str, text: str) -> dict[str, Any]:
    return {"position": int(position), "text": " ".join(text.split()[:LONGEST])}
