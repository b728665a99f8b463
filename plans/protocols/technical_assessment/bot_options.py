from collections.abc import Mapping, Sequence
from typing import Any

from plans.models import Question, Script
from plans.protocols.base import BotDraft, ChecklistItem, PlanProtocol, by_title
from plans.protocols.needs import (
    advice,
    question_count_item,
    reward_items,
    script_items,
    script_languages,
)
from plans.protocols.technical_assessment.content import (
    CONTENT,
    TechnicalAssessmentOptions,
    options_of,
)

LEAST_TOPICS = 3
LEAST_GUIDANCE = 0.8  # the share of questions that should have guidance


def needs(draft: BotDraft) -> list[ChecklistItem]:
    options = options_of(draft.bot)
    return [
        *script_items(draft.scripts),
        ChecklistItem("Position", bool(options.position.strip()), "Write it under Interview."),
        *_first_topic_items(draft.scripts, options.default_topic),
        *(item for script in draft.scripts for item in _question_items(script, options)),
        *_same_topic_items(draft.scripts),
        *reward_items(draft, options.reward),
    ]


def _first_topic_items(scripts: Sequence[Script], key: str) -> list[ChecklistItem]:
    if not key or not scripts:
        return []
    lacking = ", ".join(f"“{script}”" for script in scripts if key not in topics(script))
    hint = f"“{key}” is not a topic with questions in {lacking}. Choose another under Interview."
    return [ChecklistItem("First topic", not lacking, hint)]


def _question_items(script: Script, options: TechnicalAssessmentOptions) -> list[ChecklistItem]:
    by_topic = topics(script)
    asked = [question for questions in by_topic.values() for question in questions]
    items = [question_count_item(script, len(asked))]
    if asked:
        items += _script_advice(script, len(by_topic), asked, options.max_turns)
    return items


def _script_advice(
    script: Script, topic_count: int, asked: Sequence[Question], turns: int
) -> list[ChecklistItem]:
    guided = sum(bool(question.guidance.strip()) for question in asked)
    return [
        advice(
            f"Enough questions for {turns} turns",
            len(asked) >= turns,
            f"“{script}” has {len(asked)}. Questions no model phrases come from this list.",
        ),
        advice(
            f"Topics in “{script.name}”: {topic_count}",
            topic_count >= LEAST_TOPICS,
            f"A verdict on few topics is less fair. Use {LEAST_TOPICS} or more.",
        ),
        advice(
            "What good answers contain",
            guided >= LEAST_GUIDANCE * len(asked),
            f"{guided} of {len(asked)} questions in “{script}” have guidance. Answers to the "
            "others are judged more roughly.",
        ),
    ]


def _same_topic_items(scripts: Sequence[Script]) -> list[ChecklistItem]:
    if len(scripts) < 2:
        return []
    differ = len({frozenset(topics(script)) for script in scripts}) > 1
    hint = "The section keys differ. Reports can only be compared where they are the same."
    return [advice("The same topics in every language", not differ, hint)]


def topics(script: Script) -> dict[str, list[Question]]:
    sections = {section.key: list(section.questions.all()) for section in script.sections.all()}
    return {key: questions for key, questions in sections.items() if questions}


def readable(material: Mapping[str, Any]) -> dict[str, Any]:
    scripts = material.get("scripts", {})
    options = material.get("options", {})
    return {
        "scripts": {language: _readable_script(script) for language, script in scripts.items()},
        "options": by_title(TechnicalAssessmentOptions, options),
    }


def _readable_script(script: Mapping[str, Any]) -> dict[str, Any]:
    questions = script.get("questions", ())
    listed = [
        {
            "key": topic["key"],
            "label": topic["title"],
            "questions": [_readable_question(q) for q in questions if q["topic"] == topic["key"]],
        }
        for topic in script.get("topics", ())
    ]
    return {"intro": script.get("intro", ""), "topics": listed, "outro": script.get("outro", "")}


def _readable_question(question: Mapping[str, Any]) -> dict[str, Any]:
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
    summary="Asks a candidate about the topics of a position, harder or easier depending on the "
    "answers, and writes a report that a person accepts or amends. Candidates see questions, "
    "never scores.",
    parts=frozenset({"scripts"}),
    languages=script_languages,
    needs=needs,
    readable=readable,
    scripts_mean="In a technical assessment each section is a topic. Its title is said when the "
    "interview turns to it, and used in reports. Its questions go from easy to hard. Guidance "
    "says what a good answer contains and then, after “Weak answers”, what those get wrong. "
    "Answers are judged by it, and candidates never see it. Minutes are not used.",
)
