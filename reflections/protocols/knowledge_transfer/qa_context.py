"""The Q&A context: facts with their sources, and open questions, as JSON lines."""

import json
from collections.abc import Iterable
from typing import Any

from reflections.protocols.knowledge_transfer.types import (
    OpenPoint,
    PackageFact,
    Place,
    QuestionAnswers,
)


def context_rows(
    session: str, questions: Iterable[QuestionAnswers], points: Iterable[OpenPoint]
) -> list[dict[str, Any]]:
    facts = sorted(
        (_fact_row(session, one, fact) for one in questions for fact in one.facts),
        key=lambda row: row["number"],
    )
    return [*facts, *(_open_point_row(session, point) for point in points)]


def json_lines(rows: Iterable[dict[str, Any]]) -> bytes:
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    return lines.encode("utf-8", "backslashreplace")


def _fact_row(session: str, one: QuestionAnswers, fact: PackageFact) -> dict[str, Any]:
    quote = next((a.text for a in one.answers if a.position == fact.position), "")
    return {
        "type": "fact",
        "id": f"{session}-fact-{fact.number}",
        "number": fact.number,
        "fact": fact.text,
        "question_id": one.id,
        "question": one.question,
        "asked": one.asked,
        "came_up_with": one.parent,
        "answer": quote,
        "confidence": fact.confidence,
        "status": one.status,
        "session": session,
        "position": fact.position,
        "documents": _places(one.documents),
        "edited": fact.edited,
        "merged": fact.merged,
    }


def _open_point_row(session: str, point: OpenPoint) -> dict[str, Any]:
    return {
        "type": "open_question",
        "id": f"{session}-question-{point.id}",
        "question_id": point.id,
        "question": point.question,
        "came_up_with": point.parent,
        "priority": point.priority,
        "open_because": point.open_because,
        "why": point.why,
        "session": session,
        "documents": _places(point.documents),
    }


def _places(places: Iterable[Place]) -> list[dict[str, str]]:
    return [place.model_dump() for place in places]
