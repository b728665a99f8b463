"""What the fake model says for a participant, and how it judges that.

The replica says what it finds in what it knows: the line that shares most words with the question.
The judge counts words, and does whatever somebody tells it to: what protects a score is elsewhere.
"""

import json
import re
from typing import Any

from tests.fake_provider.asked import Asked

LINE = re.compile(r"^\[(\d+)\] Participant: (.+)$", re.M)
WORD = re.compile(r"[^\W_]{3,}")
ORDER = re.compile(r"judge\s*[:,].{0,40}1\.0|agreement is full|as full agreement", re.I)
NOTES, FULL, PARTIAL = 12, 0.5, 0.15


def notes(asked: Asked) -> dict[str, Any]:
    """What was said, line by line."""
    said = [text for _, text in LINE.findall(asked.message)]
    return {"notes": said[:NOTES] or ["Nothing was said."]}


def answer(asked: Asked) -> dict[str, Any]:
    """The line of what is known that shares most words with the question."""
    question, known = _words(_inside(asked.message, "question")), _known(asked)
    best = max(known, key=lambda line: len(_words(line) & question), default="")
    return {"answer": best or "Like most people, I would have to think about it."}


def agreement(asked: Asked) -> dict[str, Any]:
    """By the words in common; full for whoever orders it."""
    said, candidate = (_inside(asked.message, tag) for tag in ("said", "candidate"))
    if ORDER.search(asked.message):
        return {"why": "I was told so.", "agreement": "full"}
    left, right = _words(said), _words(candidate)
    share = 2 * len(left & right) / max(1, len(left) + len(right))
    found = "full" if share > FULL else "partial" if share > PARTIAL else "none"
    return {"why": f"They share {len(left & right)} words.", "agreement": found}


def choices(asked: Asked) -> dict[str, Any]:
    """The option that is named where the item's words stand in what is known, else the last."""
    items = json.loads(_inside(asked.message, "items"))
    known = _known(asked)
    return {"choices": [{"number": one["number"], "option": _choice(one, known)} for one in items]}


def _choice(item: dict[str, Any], known: list[str]) -> str:
    line = next((line for line in known if item["text"] in line), "")
    said = line.rpartition(item["text"])[2]
    named = [option for option in _options(item) if re.search(rf"\b{re.escape(option)}\b", said)]
    return named[0] if named else _options(item)[-1]


def _options(item: dict[str, Any]) -> list[str]:
    span = re.fullmatch(r"a whole number from (-?\d+) to (-?\d+)", item["options"][0])
    return [str(n) for n in range(int(span[1]), int(span[2]) + 1)] if span else item["options"]


def _known(asked: Asked) -> list[str]:
    said = [text for _, text in LINE.findall(_inside(asked.system, "transcript"))]
    noted = [line for line in _inside(asked.system, "notes").splitlines() if line.strip()]
    return [*said, *noted]


def _words(text: str) -> set[str]:
    return set(WORD.findall(text.casefold()))


def _inside(text: str, tag: str) -> str:
    found = re.findall(rf"<{tag}>\s*((?:(?!<{tag}>).)*?)\s*</{tag}>", text, re.S)
    return str(found[-1]).strip() if found else ""


REPLIES = {
    "ReplicaNotes": notes,
    "ReplicaAnswer": answer,
    "ReplicaAgreement": agreement,
    "ReplicaChoices": choices,
}
