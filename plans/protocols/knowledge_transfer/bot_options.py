from collections.abc import Mapping
from typing import Any

from plans.models.knowledge import MOST_QUESTIONS
from plans.protocols.base import BotDraft, ChecklistItem, PlanProtocol, by_title
from plans.protocols.knowledge_transfer.analysis import context_job, document_job
from plans.protocols.knowledge_transfer.analysis.requests import duplicate_documents
from plans.protocols.knowledge_transfer.analysis.status import Progress, progress
from plans.protocols.knowledge_transfer.backlog import OWN_PARTS
from plans.protocols.knowledge_transfer.content import (
    CONTENT,
    DeepDive,
    KnowledgeTransferOptions,
    options_of,
)
from plans.protocols.knowledge_transfer.demo import DEMO
from plans.protocols.needs import advice, language_items, reward_items, translation_items

FEW_QUESTIONS = 5


def needs(draft: BotDraft) -> list[ChecklistItem]:
    options = options_of(draft.bot)
    items = [
        *language_items(options.languages),
        *translation_items(options.languages, "Questions"),
        *reward_items(draft, options.reward),
    ]
    if not draft.rows:
        return items
    priorities = list(draft.bot.backlog.values_list("priority", flat=True))
    items += _backlog_items(priorities, options.rounds)
    return items + _document_items(progress(draft.bot))


def _backlog_items(priorities: list[str], rounds: int) -> list[ChecklistItem]:
    urgent = priorities.count("P0")
    asked = urgent + priorities.count("P1")
    hint = "Upload files under Documents, or write questions under Backlog."
    items = [ChecklistItem(f"Questions to ask: {asked}", asked > 0, hint)]
    if not asked:
        return items
    if (count := len(priorities)) > MOST_QUESTIONS:
        hint = f"There are {count}. The maximum is {MOST_QUESTIONS}. Delete some under Backlog."
        items.append(ChecklistItem("Size of the backlog", False, hint))
    few_hint = f"With only {asked}, the interview ends soon."
    items.append(advice(f"At least {FEW_QUESTIONS} questions", asked >= FEW_QUESTIONS, few_hint))
    return [*items, _rounds_item(urgent, asked, rounds)]


def _rounds_item(urgent: int, asked: int, rounds: int) -> ChecklistItem:
    hint = (
        f"{asked} questions are P0 or P1, and follow-ups take rounds too. Questions that "
        "aren't reached stay open points."
    )
    if urgent > rounds:
        hint = (
            f"{urgent} questions are P0, so {urgent - rounds} of them will never be asked. Allow "
            "more rounds under Interview, or change some to P1."
        )
    return advice(f"Rounds for every question: {rounds}", asked <= rounds, hint)


def _document_items(state: Progress) -> list[ChecklistItem]:
    if not state.documents:
        hint = "The interviewer only knows the backlog. Upload files under Documents."
        return [advice("Documents: none", False, hint)]
    label = f"Documents ready: {state.ready} of {state.documents}"
    verb = "is" if state.waiting == 1 else "are"
    hint = f"{state.waiting} {verb} still being read. Interviews start without them."
    items = [advice(label, not state.waiting, hint)]
    if state.failed:
        hint = f"{state.failed} couldn't be read. See Documents for the reason."
        items.append(advice("Every document could be read", False, hint))
    if state.ready and not state.busy:
        current = bool(state.context) and not state.stale
        hint = "Documents have changed since it was written. Check it under Documents."
        items.append(advice("Summary up to date", current, hint))
    return items


def readable(material: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "questions": [_readable_question(question) for question in material.get("questions", ())],
        "summary": material.get("summary", ""),
        "documents": [_readable_document(document) for document in material.get("documents", ())],
        "options": by_title(KnowledgeTransferOptions, material.get("options", {})),
    }


def _readable_question(question: Mapping[str, Any]) -> dict[str, Any]:
    places = (f"{s['document']}, {s['place']}".removesuffix(", ") for s in question["sources"])
    fields = {name: question[name] for name in ("key", "priority", "text", "why")}
    return fields | {"sources": "\n".join(places)}


def _readable_document(document: Mapping[str, Any]) -> dict[str, Any]:
    dive = document.get("dive", {})
    findings = {name: dive[name] for name in DeepDive.model_fields if dive.get(name)}
    return {"key": document["name"], "kind": document["kind"], **findings}


KNOWLEDGE_TRANSFER = PlanProtocol(
    title="Knowledge transfer",
    content=CONTENT,
    summary="Talks with somebody who is handing over a job or a project. It has read the files, "
    "asks what they don't say, and leaves facts and an onboarding package for the successor.",
    parts=frozenset({"backlog", "summary"}),
    own_parts=OWN_PARTS,
    demo=DEMO,
    languages=lambda draft: list(options_of(draft.bot).languages),
    needs=needs,
    readable=readable,
    duplicate=duplicate_documents,
    jobs={document_job.TASK: document_job.JOB, context_job.TASK: context_job.JOB},
)
