"""Knowledge transfers: documents, what was made of them, and a backlog of questions."""

from collections.abc import Mapping
from typing import Any

from plans.models.knowledge import MOST_QUESTIONS
from plans.protocols.base import BotDraft, ChecklistItem, PlanProtocol, by_title
from plans.protocols.knowledge_transfer.analysis import context_job, document_job
from plans.protocols.knowledge_transfer.analysis.status import Progress, progress
from plans.protocols.knowledge_transfer.backlog_files import OWN_PARTS
from plans.protocols.knowledge_transfer.content import (
    CONTENT,
    DeepDive,
    KnowledgeTransferOptions,
    options_of,
)
from plans.protocols.knowledge_transfer.demo import DEMO
from plans.protocols.knowledge_transfer.duplicate import duplicate_documents
from plans.protocols.needs import language_items, reward_items

FEW_QUESTIONS = 5


def languages(draft: BotDraft) -> list[str]:
    """Those that the options name."""
    return list(options_of(draft.bot).languages)


def needs(draft: BotDraft) -> list[ChecklistItem]:
    """Known languages and questions to ask; advice on documents, summary and rounds."""
    options = options_of(draft.bot)
    items = [*language_items(options.languages), *reward_items(draft, options.reward)]
    if not draft.rows:
        return items
    priorities = list(draft.bot.backlog.values_list("priority", flat=True))
    return [
        *items,
        *_backlog_items(priorities, options.rounds),
        *_document_items(progress(draft.bot)),
    ]


def _backlog_items(priorities: list[str], rounds: int) -> list[ChecklistItem]:
    urgent = priorities.count("P0")
    asked = urgent + priorities.count("P1")
    hint = "Upload files under Documents, or write questions under Backlog."
    items = [ChecklistItem(f"Questions to ask: {asked}", asked > 0, hint)]
    if not asked:
        return items
    return [
        *items,
        *_too_many(len(priorities)),
        _advice(
            f"At least {FEW_QUESTIONS} questions",
            asked >= FEW_QUESTIONS,
            f"{asked} {'is' if asked == 1 else 'are'} soon answered; the interview then ends.",
        ),
        _rounds_item(urgent, asked, rounds),
    ]


def _too_many(count: int) -> list[ChecklistItem]:
    hint = f"There are {count}, and {MOST_QUESTIONS} are the most. Delete some under Backlog."
    return (
        []
        if count <= MOST_QUESTIONS
        else [ChecklistItem("A backlog of a usable size", False, hint)]
    )


def _rounds_item(urgent: int, asked: int, rounds: int) -> ChecklistItem:
    label = f"Rounds for every question: {rounds}"
    if urgent > rounds:
        return _advice(
            label,
            False,
            f"{urgent} questions are P0, so {urgent - rounds} of them are never asked. Allow more "
            "rounds under Interview, or make some P1.",
        )
    hint = (
        f"{asked} questions are P0 or P1, and follow-ups take rounds too. What is not reached "
        "stays an open point."
    )
    return _advice(label, asked <= rounds, hint)


def _document_items(state: Progress) -> list[ChecklistItem]:
    if not state.documents:
        hint = "Without any, the interviewer knows only the backlog. Upload some under Documents."
        return [_advice("Documents: none", False, hint)]
    read = f"Documents ready: {state.ready} of {state.documents}"
    hint = f"{_of(state.waiting, 'is', 'are')} still being read; interviews begin without."
    failed = f"{_of(state.failed, 'was', 'were')} not read. Look under Documents why."
    return [
        _advice(read, not state.waiting, hint),
        *([_advice("Every document read", False, failed)] if state.failed else []),
        *_summary_items(state),
    ]


def _summary_items(state: Progress) -> list[ChecklistItem]:
    if state.busy or not state.ready:
        return []
    hint = "Documents have changed since it was written. Look at it under Documents."
    return [_advice("A summary of these documents", bool(state.context) and not state.stale, hint)]


def _of(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}"


def _advice(label: str, done: bool, hint: str) -> ChecklistItem:
    return ChecklistItem(label, done, hint, needed=False)


def readable(material: Mapping[str, Any]) -> dict[str, Any]:
    """Documents by their names, questions with where they come from, options as in the form."""
    return {
        "questions": [_question_told(question) for question in material.get("questions", ())],
        "summary": material.get("summary", ""),
        "documents": [_document_told(document) for document in material.get("documents", ())],
        "options": by_title(KnowledgeTransferOptions, material.get("options", {})),
    }


def _question_told(question: Mapping[str, Any]) -> dict[str, Any]:
    places = (f"{s['document']}, {s['place']}".removesuffix(", ") for s in question["sources"])
    kept = {name: question[name] for name in ("key", "priority", "text", "why")}
    return kept | {"sources": "\n".join(places)}


def _document_told(document: Mapping[str, Any]) -> dict[str, Any]:
    dive = document.get("dive", {})
    found = {name: dive[name] for name in DeepDive.model_fields if dive.get(name)}
    return {"key": document["name"], "kind": document["kind"], **found}


KNOWLEDGE_TRANSFER = PlanProtocol(
    title="Knowledge transfer",
    content=CONTENT,
    summary="Talks with somebody who hands over a job or a project: it has read the files, asks "
    "what they don't say, and leaves facts and an onboarding package for the successor.",
    parts=frozenset({"backlog", "summary"}),
    own_parts=OWN_PARTS,
    demo=DEMO,
    languages=languages,
    needs=needs,
    readable=readable,
    duplicate=duplicate_documents,
    jobs={document_job.TASK: document_job.JOB, context_job.TASK: context_job.JOB},
)
