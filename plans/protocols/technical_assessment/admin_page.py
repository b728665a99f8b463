from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from plans.admin.bot_page import BotPage, split_options
from plans.admin.pages import chosen_script
from plans.forms.bot import OwnTab
from plans.forms.options import field_name
from plans.models import Bot, Question, Script
from plans.protocols.technical_assessment.content import LEVELS, level, options_of
from plans.scripts import preview

# Options by tab; all others, rules first, go to Judging.
INTERVIEW_OPTIONS = ("position", "grade", "ask_experience", "default_topic")
QUESTION_OPTIONS = (
    "questions_by",
    "max_turns",
    "history",
    "attempts",
    "interviewer_seconds",
    "reasoning",
)
RULES_NOTE = (
    "Each answer gets a score for correctness and one for confidence, from 0 to 1. <b>Strong "
    "Hire</b> needs both values below, nothing made up, and a level at or above the grade. "
    "<b>Hire</b> needs both of its values, nothing made up, and admitted gaps. Everything else is "
    "<b>No Hire</b>. This is advice: a person accepts or amends every report."
)


def _tabs(bot: Bot) -> list[OwnTab]:
    interview = [field_name(name) for name in INTERVIEW_OPTIONS]
    questions = [field_name(name) for name in QUESTION_OPTIONS]
    names, reward = split_options(bot)
    rest = [name for name in names if name not in (*interview, *questions)]
    judging = sorted(rest, key=lambda name: not name.startswith(field_name("rules")))
    return [
        OwnTab("Interview", ["scripts", *interview, "minutes", "persona"]),
        OwnTab("Questions", questions),
        OwnTab("Judging", judging, RULES_NOTE),
        reward,
    ]


def assessment_preview(request: HttpRequest, bot: Bot) -> HttpResponse:
    script, context = chosen_script(request, bot)
    context |= {"preview": script and preview(script), "topics": script and graded_sections(script)}
    return render(request, "plans/assessment.html", context | {"options": options_of(bot)})


def graded_sections(script: Script) -> list[dict[str, Any]]:
    """Return the sections with questions, each question with its level, also as dots."""
    sections = script.sections.prefetch_related("questions")
    return [
        {
            "section": section,
            "questions": [_graded(row, level(i, len(rows))) for i, row in enumerate(rows)],
        }
        for section in sections
        if (rows := list(section.questions.all()))
    ]


def _graded(question: Question, level: int) -> dict[str, Any]:
    return {"question": question, "level": level, "dots": "●" * level + "○" * (LEVELS - level)}


PAGE = BotPage(
    begins_with=("scripts",), options=("position", "grade"), tabs=_tabs, preview=assessment_preview
)
