"""What prompts are told about documents, the conversation so far and the facts known."""

from interviews.engine.language.terms import terms
from interviews.protocols.knowledge_transfer.context import OPEN, TransferContext, planned_question
from interviews.protocols.knowledge_transfer.state import BacklogItem
from interviews.protocols.knowledge_transfer.tasks import (
    NumberedFact,
    QuestionCandidate,
    Source,
    TransferExchange,
)
from plans.protocols.knowledge_transfer.content import DeepDive, DocumentMaterial, SourceMaterial
from plans.text import figures, shorten

MAX_SOURCES, MAX_FILES, MAX_BACKLOG, MAX_FACTS = 3, 30, 60, 40
MAX_EXCHANGES = 4  # before the last one that the choice of a question is shown
MAX_PER_KIND = 5  # decisions, formulas, thresholds …
SHORT, LONG, SUMMARY = 240, 800, 2_000  # characters of one text
MAX_WHOLE = 6_000  # characters of exchanges that are quoted whole


def sources(ctx: TransferContext, item: BacklogItem) -> list[Source]:
    """Return its sources with their deep dives; without any, the documents nearest to it."""
    planned = planned_question(ctx, item)
    documents = {document.name: document for document in ctx.material.documents}
    named = planned.sources if planned else ()
    if not named:
        near = (name for name, one in documents.items() if _speaks_of(one, item, ctx.language))
        named = tuple(SourceMaterial(document=name) for name in near)
    return [_source(source, documents.get(source.document)) for source in named[:MAX_SOURCES]]


def why(ctx: TransferContext, item: BacklogItem) -> str:
    planned = planned_question(ctx, item)
    return planned.why if planned else ""


def files(ctx: TransferContext) -> list[str]:
    """Return the documents' names, each with what it is for."""
    return [
        f"{document.name}: {shorten(document.dive.purpose, SHORT)}".rstrip(": ")
        for document in ctx.material.documents[:MAX_FILES]
    ]


def summary(ctx: TransferContext) -> str:
    return shorten(ctx.material.summary, SUMMARY)


def history(ctx: TransferContext) -> list[TransferExchange]:
    """Return the earlier exchanges, oldest first: the latest whole, the others by their facts."""
    exchanges: list[TransferExchange] = []
    room = MAX_WHOLE
    for item in reversed(_asked_before(ctx)):
        whole = TransferExchange(question=item.asked, answer=item.answer or "(left out)")
        room -= len(whole.question) + len(whole.answer)
        exchanges.insert(0, whole if room >= 0 else _by_facts(ctx, item))
    return exchanges


def parent_exchange(ctx: TransferContext) -> list[TransferExchange]:
    parent = ctx.state.open.parent
    return [
        TransferExchange(question=item.asked, answer=shorten(item.answer, LONG))
        for item in ctx.state.items
        if item.id == parent and item.answer
    ]


def unasked_questions(ctx: TransferContext) -> list[QuestionCandidate]:
    waiting = (item for item in ctx.state.items if item.status == OPEN and not item.round)
    return [QuestionCandidate(id=item.id, question=item.text) for item in waiting][:MAX_BACKLOG]


def known_facts(ctx: TransferContext) -> list[NumberedFact]:
    corrected = ctx.state.corrected
    standing = [
        NumberedFact(number=number, fact=shorten(fact.text, SHORT))
        for number, fact in enumerate(ctx.state.facts, start=1)
        if number not in corrected
    ]
    return standing[-MAX_FACTS:]


def latest_exchanges(ctx: TransferContext) -> list[TransferExchange]:
    return [
        TransferExchange(question=shorten(item.text, SHORT), answer=shorten(item.answer, SHORT))
        for item in _asked_before(ctx)[-MAX_EXCHANGES:]
    ]


def _asked_before(ctx: TransferContext) -> list[BacklogItem]:
    asked = [item for item in ctx.state.items if item.round and item.id != ctx.state.open_id]
    return sorted(asked, key=lambda item: item.round)


def _by_facts(ctx: TransferContext, item: BacklogItem) -> TransferExchange:
    found = (fact.text for fact in ctx.state.facts if fact.question == item.id)
    facts = "; ".join(filter(None, found))
    return TransferExchange(
        question=shorten(item.text, SHORT), answer=shorten(facts or item.answer, SHORT)
    )


def _source(source: SourceMaterial, document: DocumentMaterial | None) -> Source:
    dive = document.dive if document else DeepDive()
    return Source(
        document=source.document,
        place=source.place,
        text=shorten(source.text, LONG),
        purpose=shorten(dive.purpose, SHORT),
        holds=_document_notes(dive),
    )


def _document_notes(dive: DeepDive) -> list[str]:
    kinds = (dive.formulas, dive.thresholds, dive.decisions, dive.people, dive.gaps, dive.points)
    return [shorten(one, SHORT) for kind in kinds for one in kind[:MAX_PER_KIND]]


def _speaks_of(document: DocumentMaterial, item: BacklogItem, language: str) -> bool:
    """Return whether a note of the document shares a figure or two words with the question."""
    asked, wanted = figures(item.text), terms(item.text, language)
    notes = (document.name, *_document_notes(document.dive))
    return any(asked & figures(note) or len(wanted & terms(note, language)) > 1 for note in notes)
