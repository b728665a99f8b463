"""What the fake model says of documents, backlogs and answers of a knowledge transfer."""

import re
from typing import Any

from tests.fake_provider.asked import Asked
from tests.readings import READ

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
ASKING = (
    "Where does the {number} in {document} come from?",
    "Who may change the {number} that {document} works with?",
    "What went wrong on the day the limit of {number} in {document} was passed?",
    "Which customers are the exception to {number}, and since when?",
    "How do you check by hand that {number} still holds?",
    "Whom would your successor call first about {number}?",
)
ENOUGH = 15  # words from which an answer counts as whole


def dive(asked: Asked) -> dict[str, Any]:
    """Lines with figures are thresholds, lines with a question mark are gaps."""
    lines = [line.strip() for line in asked.inside("document").splitlines() if line.strip()]
    return {
        "purpose": f"What {asked.inside('name')} is for.",
        "decisions": [],
        "formulas": [line for line in lines if "=" in line][:3],
        "thresholds": [line for line in lines if NUMBER.search(line)][:5],
        "people": [],
        "gaps": [line for line in lines if "?" in line or "see " in line][:5],
    }


def summary(asked: Asked) -> dict[str, Any]:
    """Names the documents."""
    names = ", ".join(_documents(asked)) or "no document"
    return {"summary": f"## How the work runs\n\nAll of it stands in {names}."}


def backlog(asked: Asked) -> dict[str, Any]:
    """A question for each of the first figures, of all priorities."""
    text, documents = asked.inside("documents"), _documents(asked) or ["notes.txt"]
    numbers = list(dict.fromkeys(NUMBER.findall(text)))[: len(ASKING)]
    return {
        "questions": [
            {
                "text": ASKING[place].format(
                    number=number, document=documents[place % len(documents)]
                ),
                "priority": ("P0", "P1", "P1", "P2")[place % 4],
                "why": "Nothing says so.",
                "sources": [{"document": documents[place % len(documents)], "place": ""}],
            }
            for place, number in enumerate(numbers)
        ]
    }


def extraction(asked: Asked) -> dict[str, Any]:
    """A long answer is whole and tells its sentences; a short one is probed."""
    answer = asked.answer
    whole = len(answer.split()) >= ENOUGH
    told = [part.strip() for part in re.split(r"(?<=[.!?])\s+", answer) if len(part.split()) > 4]
    word = max(re.findall(r"[^\W\d_]+", answer) or ["that"], key=len)
    return {
        **READ,
        "confidence": "high" if whole else "low",
        "follow_up": None if whole else f"You mention “{word}”. When did it last come up?",
        "facts": told[:5] if whole else [],
        "discovered_questions": [],
    }


def selection(asked: Asked) -> dict[str, Any]:
    """The first candidate."""
    found = re.search(r'"id": "([\w-]+)"', asked.inside("candidates"))
    return {"id": found[1] if found else ""}


def rephrased(asked: Asked) -> str:
    """Takes up a word of the answer, and asks the question as it is written."""
    word = max(re.findall(r"[^\W\d_]+", asked.inside("answer")) or ["the files"], key=len)
    return f"I keep in mind what you say about “{word}”. {asked.inside('ask')}"


def is_rephrasing(asked: Asked) -> bool:
    """Whether a question of the backlog is to be put into words."""
    return asked.schema is None and "<ask>" in asked.message


def _documents(asked: Asked) -> list[str]:
    return re.findall(r"^# (.+)$", asked.inside("documents"), re.M)
