"""The summary and backlog questions that a model drafts from all documents of a bot."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel

from llm.gateway import ask
from llm.languages import language_name
from llm.routing.routes import routes
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Outcome
from llm.tasks.task import Result, Spoken, Task, Tier
from plans.bots.budgets import call_context
from plans.models import BacklogQuestion, Bot, Document
from plans.models.copies import next_position
from plans.models.knowledge import MOST_QUESTIONS
from plans.portability.keys import make_own_key
from plans.protocols.knowledge_transfer.analysis.sources import (
    MOST_SOURCES,
    Place,
    SourceQuery,
    sources_of,
)
from plans.protocols.knowledge_transfer.analysis.statements import documents_brief, one_line
from plans.protocols.knowledge_transfer.content import options_of
from plans.similarity import alike, first_alike
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


class SourceDraft(Result):
    """Where a question comes from, as the model says."""

    document: str
    place: str


class QuestionDraft(Result):
    """One question as the model writes it."""

    text: str
    priority: str
    why: str
    sources: list[SourceDraft]


class BacklogDraft(Result):
    """All questions."""

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
    brief, shortened = documents_brief(rows)
    written, questions = asyncio.run(_ask_both(_questions_input(bot, brief), bot, summary))
    reasons = [_failure_reason(written, "summary"), _failure_reason(questions, "questions")]
    if shortened:
        reasons.append(f"Documents that the model saw only in part: {shortened}.")
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
    context = call_context(bot, SECONDS)
    fields = {name: getattr(data, name) for name in SummaryInput.model_fields}
    questions = asyncio.create_task(ask(QUESTIONS, data, context))
    written = await ask(SUMMARY, SummaryInput(**fields), context) if summary else None
    return written, await questions


def _failure_reason(
    outcome: Outcome[ProjectSummary] | Outcome[BacklogDraft] | None, what: str
) -> str:
    if outcome is None or outcome.by_model:
        return ""
    return f"The model gave no {what} ({outcome.reason})."


LONGEST = 500  # characters of a question; longer ones are dropped
MOST_LOOKED_AT = 200  # drafts
PRIORITIES = tuple(BacklogQuestion.Priority.values)


@dataclass(frozen=True)
class UsableQuestion:
    text: str
    priority: str = "P1"
    why: str = ""
    sources: tuple[Place, ...] = ()


def usable_questions(bot: Bot, drafts: Sequence[QuestionDraft]) -> list[UsableQuestion]:
    """Return the usable questions, most urgent first, merging those that mean the same.

    A question that the backlog has in other words gets the backlog's wording.
    """
    usable = sorted(filter(_is_question, drafts[:MOST_LOOKED_AT]), key=_priority)
    merged = _merge(usable, list(bot.backlog.values_list("text", flat=True)))[:MOST_DRAFTED]
    queries = [SourceQuery(f"{q.text} {q.why}", tuple(named)) for q, named in merged]
    sources = sources_of(bot, queries)
    return [replace(q, sources=tuple(s)) for (q, _), s in zip(merged, sources, strict=True)]


def _merge(
    drafts: Sequence[QuestionDraft], known: Sequence[str]
) -> list[tuple[UsableQuestion, list[tuple[str, str]]]]:
    merged: list[tuple[UsableQuestion, list[tuple[str, str]]]] = []
    for draft in drafts:
        question = _usable_question(draft, known)
        named = [(source.document, source.place) for source in draft.sources]
        same = first_alike(question.text, [other.text for other, _ in merged])
        if same is None:
            merged.append((question, named))
        else:
            merged[same][1].extend(named)
    return merged


def _is_question(draft: QuestionDraft) -> bool:
    line = " ".join(draft.text.split())
    return len(line) <= LONGEST and any(map(str.isalpha, line))


def _priority(draft: QuestionDraft) -> str:
    priority = draft.priority.strip().upper()
    return priority if priority in PRIORITIES else BacklogQuestion.Priority.P1


def _usable_question(draft: QuestionDraft, known: Sequence[str]) -> UsableQuestion:
    text = one_line(draft.text, LONGEST)
    same = first_alike(text, known)
    if same is not None:
        text = known[same]
    return UsableQuestion(text, _priority(draft), one_line(draft.why, LONGEST))


MOST_REMEMBERED = 1_000  # past wordings
_alike = lru_cache(maxsize=50_000)(alike)  # pairs of questions


def warm_similarity_cache(bot: Bot, drafted: Iterable[UsableQuestion]) -> None:
    """Compare the questions with the backlog now, so that `reconcile` takes less time later."""
    backlog = _Backlog(bot)
    for question in drafted:
        backlog.like(question.text)


def reconcile(bot: Bot, drafted: Iterable[UsableQuestion]) -> int:
    """Merge drafted questions into the backlog, and return how many didn't fit.

    A question that is there in other words only gets the new sources; one that somebody deleted
    stays deleted. Call it in a transaction.
    """
    backlog, left_out = _Backlog(bot), 0
    for question in drafted:
        like = backlog.like(question.text)
        if isinstance(like, BacklogQuestion):
            _add_sources(like, question.sources)
        elif like is None and backlog.full:
            left_out += 1
        elif like is None:
            backlog.add(question)
    _alike.cache_clear()
    return left_out


class _Backlog:
    """A bot's backlog, with all its present and past wordings."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._rows = list(bot.backlog.all())
        records = BacklogQuestion.history.filter(bot_id=bot.pk)
        self._keys = {row.key for row in self._rows} | set(records.values_list("key", flat=True))
        self._earlier = list(records.values_list("text", "id")[:MOST_REMEMBERED])
        self._position = next_position(row.position for row in self._rows)

    @property
    def full(self) -> bool:
        return len(self._rows) >= MOST_QUESTIONS

    def like(self, text: str) -> BacklogQuestion | bool | None:
        """Return the row that asks the same, True if that row was deleted, or None."""
        for row in self._rows:
            if _alike(text, row.text):
                return row
        for earlier, pk in self._earlier:
            if _alike(text, earlier):
                return next((row for row in self._rows if row.pk == pk), True)
        return None

    def add(self, question: UsableQuestion) -> None:
        key = make_own_key(question.text, self._keys)
        row = BacklogQuestion.objects.create(
            bot=self._bot,
            key=key,
            text=question.text,
            priority=question.priority,
            origin=BacklogQuestion.Origin.ANALYSIS,
            why=question.why,
            sources=list(question.sources),
            position=self._position,
        )
        self._rows.append(row)
        self._keys.add(key)
        self._position += 1


def _add_sources(row: BacklogQuestion, sources: Iterable[Place]) -> None:
    places: dict[tuple[str, str], Place] = {}
    for source in [*row.sources, *sources]:
        places.setdefault((source["document"], source.get("place", "")), source)
    merged = list(places.values())[:MOST_SOURCES]
    if merged != row.sources:
        row.sources = merged
        row.save(update_fields=["sources"])
