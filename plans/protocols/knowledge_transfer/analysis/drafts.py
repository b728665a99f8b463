"""The summary and backlog questions that a model drafts from all documents of a bot."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from llm.gateway import ask
from llm.languages import language_name
from llm.routing.routes import routes
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Outcome, Source
from llm.tasks.task import Spoken, Task, Tier
from plans.bots.budgets import budget_of
from plans.models import Bot, Document
from plans.protocols.knowledge_transfer.analysis.brief import documents_brief
from plans.protocols.knowledge_transfer.content import options_of
from plans.text import tidy
from plans.text.markdown import as_words

MOST_DRAFTED = 40  # questions in one go
LONGEST_SUMMARY = 12_000  # characters
SECONDS = 600.0
HERE = Path(__file__).parent


class SummaryInput(BaseModel):
    language: str
    project: Spoken
    handed_over_by: Spoken
    documents: Spoken


class QuestionsInput(SummaryInput):
    """The same, with the questions already in the backlog as `known`."""

    known: list[Spoken]
    most: int


class ProjectSummary(BaseModel):
    """All documents together, in Markdown."""

    summary: str


class SourceDraft(BaseModel):
    """Where a question comes from, as the model says."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    document: str
    place: str


class QuestionDraft(BaseModel):
    """One question as the model writes it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str
    priority: str
    why: str
    sources: list[SourceDraft]


class BacklogDraft(BaseModel):
    """All questions."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    questions: list[QuestionDraft]


SUMMARY = Task(
    name="plans.knowledge.summary",
    tier=Tier.MAIN,
    template=HERE / "prompts/summary.md",
    input=SummaryInput,
    output=ProjectSummary,
    fallback=lambda data: ProjectSummary(summary=""),
    timeout=120.0,
    max_tokens=4_000,
    temperature=0.2,
)
QUESTIONS = Task(
    name="plans.knowledge.questions",
    tier=Tier.MAIN,
    template=HERE / "prompts/questions.md",
    input=QuestionsInput,
    output=BacklogDraft,
    fallback=lambda data: BacklogDraft(questions=[]),
    timeout=180.0,
    max_tokens=12_000,
    temperature=0.2,
)


@dataclass(frozen=True)
class ContextDrafts:
    """The drafts, empty where no model answered; `reasons` say in words what is missing."""

    summary: str = ""
    questions: tuple[QuestionDraft, ...] = ()
    reasons: tuple[str, ...] = ()


def draft_context(bot: Bot, rows: Sequence[Document], summary: bool = True) -> ContextDrafts:
    """Ask a model for both drafts, or for questions only; without a model, return empty ones."""
    if not routes(QUESTIONS, CallContext()):
        return ContextDrafts()
    brief = documents_brief(rows)
    written, questions = asyncio.run(_ask_both(_questions_input(bot, brief.text), bot, summary))
    reasons = [_failure_reason(written, "summary"), _failure_reason(questions, "questions")]
    if brief.shortened:
        reasons.append(f"Documents that the model saw only in part: {brief.shortened}.")
    text = tidy(written.value.summary)[:LONGEST_SUMMARY] if written else ""
    return ContextDrafts(text, tuple(questions.value.questions), tuple(filter(None, reasons)))


def extract_summary(rows: Sequence[Document]) -> str:
    texts = (f"## {as_words(row.name)}\n\n{_points(row)}" for row in rows)
    return "\n\n".join(texts)[:LONGEST_SUMMARY]


def _points(row: Document) -> str:
    points = [as_words(point["text"]) for point in row.content.get("points", [])]
    purpose = as_words(str(row.content.get("purpose", "")))
    return "\n".join([*([f"{purpose}\n"] if purpose else []), *(f"- {text}" for text in points)])


def _questions_input(bot: Bot, documents: str) -> QuestionsInput:
    options = options_of(bot)
    return QuestionsInput(
        language=language_name(next(iter(options.languages), "en")),
        project=options.project or bot.title,
        handed_over_by=options.handed_over_by,
        documents=documents,
        known=list(bot.backlog.values_list("text", flat=True)),
        most=MOST_DRAFTED,
    )


async def _ask_both(
    data: QuestionsInput, bot: Bot, summary: bool
) -> tuple[Outcome[ProjectSummary] | None, Outcome[BacklogDraft]]:
    context = CallContext(
        bot=str(bot.pk),
        models=bot.model_overrides,
        deadline=time.monotonic() + SECONDS,
        budget=budget_of(bot),
    )
    fields = {name: getattr(data, name) for name in SummaryInput.model_fields}
    questions = asyncio.create_task(ask(QUESTIONS, data, context))
    written = await ask(SUMMARY, SummaryInput(**fields), context) if summary else None
    return written, await questions


def _failure_reason(
    outcome: Outcome[ProjectSummary] | Outcome[BacklogDraft] | None, what: str
) -> str:
    if outcome is None or outcome.source is not Source.FALLBACK:
        return ""
    return f"The model gave no {what} ({outcome.reason})."
