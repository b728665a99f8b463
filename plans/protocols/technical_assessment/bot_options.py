"""Technical assessments: a script in each language whose sections are the topics."""

from collections.abc import Mapping, Sequence
from typing import Any

from plans.models import Question, Script
from plans.protocols.base import BotDraft, ChecklistItem, PlanProtocol, by_title
from plans.protocols.needs import asks_something, reward_items, script_items, script_languages
from plans.protocols.technical_assessment.content import (
    CONTENT,
    TechnicalAssessmentOptions,
    options_of,
)

LEAST_TOPICS = 3
MOST_QUESTIONS = 0.8  # the share of them that should say what a good answer holds


def needs(draft: BotDraft) -> list[ChecklistItem]:
    """A script per language, a position, a first topic that is there; advice on the questions."""
    options = options_of(draft.bot)
    return [
        *script_items(draft.scripts),
        ChecklistItem("Position", bool(options.position.strip()), "Write it under Interview."),
        *_first_topic(draft.scripts, options.default_topic),
        *(item for script in draft.scripts for item in _questions(script, options)),
        *_same_topics(draft.scripts),
        *reward_items(draft, options.reward),
    ]


def _first_topic(scripts: Sequence[Script], key: str) -> list[ChecklistItem]:
    if not key or not scripts:
        return []
    without = ", ".join(f"“{script}”" for script in scripts if key not in topics(script))
    hint = f"“{key}” is no topic with questions in {without}; choose another under Interview."
    return [ChecklistItem("First topic", not without, hint)]


def _questions(script: Script, options: TechnicalAssessmentOptions) -> list[ChecklistItem]:
    there = topics(script)
    asked = [question for questions in there.values() for question in questions]
    items = [asks_something(script, len(asked))]
    return [*items, *_advice(script, len(there), asked, options.max_turns)] if asked else items


def _advice(
    script: Script, count: int, asked: Sequence[Question], turns: int
) -> list[ChecklistItem]:
    told = sum(bool(question.guidance.strip()) for question in asked)
    return [
        ChecklistItem(
            f"Enough of them for {turns} turns",
            len(asked) >= turns,
            f"“{script}” has {len(asked)}; what no model words is taken from this list.",
            needed=False,
        ),
        ChecklistItem(
            f"Topics in “{script.name}”: {count}",
            count >= LEAST_TOPICS,
            f"A verdict rests on few topics; {LEAST_TOPICS} or more make it fairer.",
            needed=False,
        ),
        ChecklistItem(
            "What good answers hold",
            told >= MOST_QUESTIONS * len(asked),
            f"Written for {told} of {len(asked)} questions in “{script}”, as guidance. Answers to "
            "the others are judged more roughly.",
            needed=False,
        ),
    ]


def _same_topics(scripts: Sequence[Script]) -> list[ChecklistItem]:
    if len(scripts) < 2:
        return []
    differ = len({frozenset(topics(script)) for script in scripts}) > 1
    hint = "The keys of sections differ; where they are the same, reports can be compared."
    return [ChecklistItem("The same topics in every language", not differ, hint, needed=False)]


def topics(script: Script) -> dict[str, list[Question]]:
    """The questions of each section that has any, by its key."""
    sections = {section.key: list(section.questions.all()) for section in script.sections.all()}
    return {key: questions for key, questions in sections.items() if questions}


def readable(material: Mapping[str, Any]) -> dict[str, Any]:
    """Questions under their topics, easy ones first, and options by their names in forms."""
    scripts = material.get("scripts", {})
    options = material.get("options", {})
    return {
        "scripts": {language: _script_told(script) for language, script in scripts.items()},
        "options": by_title(TechnicalAssessmentOptions, options),
    }


def _script_told(script: Mapping[str, Any]) -> dict[str, Any]:
    questions = script.get("questions", ())
    listed = [
        {
            "key": topic["key"],
            "label": topic["title"],
            "questions": [_question_told(q) for q in questions if q["topic"] == topic["key"]],
        }
        for topic in script.get("topics", ())
    ]
    return {"intro": script.get("intro", ""), "topics": listed, "outro": script.get("outro", "")}


def _question_told(question: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "key": question["key"],
        "text": question["text"],
        "level": f"{question['level']} of 5",
        "objective": question["objective"],
        "a_good_answer_holds": question["expected"],
    }


TECHNICAL_ASSESSMENT = PlanProtocol(
    title="Technical assessment",
    content=CONTENT,
    summary="Asks a candidate about the topics of a position, harder or easier by the answers, and "
    "writes a report that a person accepts or amends. Candidates see questions, never scores.",
    parts=frozenset({"scripts"}),
    languages=script_languages,
    needs=needs,
    readable=readable,
    scripts_mean="In a technical assessment each section is a topic: its title is said when the "
    "interview turns to it, and named in reports. Its questions go from easy to hard. Guidance "
    "says what a good answer holds, then, from “Weak answers” on, what those get wrong; answers "
    "are judged by it, and candidates never see it. Seconds are not used.",
)
