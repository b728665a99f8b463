"""What a prompt is told: documents about a question, the conversation so far, what is known."""

from interviews.protocols.knowledge_transfer.context import TransferContext, shortened, written_of
from interviews.protocols.knowledge_transfer.state import BacklogItem
from interviews.protocols.knowledge_transfer.tasks import Source, TransferExchange
from plans.protocols.knowledge_transfer.content import DeepDive, DocumentMaterial, SourceMaterial

MOST_SOURCES, MOST_FILES, MOST_BACKLOG, MOST_KNOWN = 3, 30, 60, 40
HELD = 5  # decisions, formulas, thresholds … of each kind
SHORT, LONG, SUMMARY = 240, 800, 2_000  # characters of one text
WHOLE = 6_000  # characters of exchanges that are told whole; earlier ones by their facts


def sources(ctx: TransferContext, item: BacklogItem) -> list[Source]:
    """The places that a question comes from, with what is known of their documents."""
    written = written_of(ctx, item)
    documents = {document.name: document for document in ctx.material.documents}
    return [
        _source(source, documents.get(source.document))
        for source in (written.sources if written else ())[:MOST_SOURCES]
    ]


def why(ctx: TransferContext, item: BacklogItem) -> str:
    """What is missing in the documents, as far as the plan says."""
    written = written_of(ctx, item)
    return written.why if written else ""


def files(ctx: TransferContext) -> list[str]:
    """The names of the documents."""
    return [document.name for document in ctx.material.documents][:MOST_FILES]


def summary(ctx: TransferContext) -> str:
    """What all documents say together, cut to its beginning."""
    return shortened(ctx.material.summary, SUMMARY)


def history(ctx: TransferContext) -> list[TransferExchange]:
    """The exchanges before the open question, oldest first: the last whole, others by facts."""
    told: list[TransferExchange] = []
    room = WHOLE
    for item in reversed(_asked_before(ctx)):
        whole = TransferExchange(question=item.asked, answer=item.answer or "(left out)")
        room -= len(whole.question) + len(whole.answer)
        told.insert(0, whole if room >= 0 else _condensed(ctx, item))
    return told


def before(ctx: TransferContext) -> list[TransferExchange]:
    """The exchange that the open follow-up goes back to; nothing for any other question."""
    parent = ctx.state.open.parent
    return [
        TransferExchange(question=item.asked, answer=shortened(item.answer, LONG))
        for item in ctx.state.items
        if item.id == parent and item.answer
    ]


def open_besides(ctx: TransferContext) -> list[str]:
    """The other questions that nobody has answered, as far as they can be listed."""
    others = [i.text for i in ctx.state.items if not i.round]
    return others[:MOST_BACKLOG]


def known(ctx: TransferContext) -> list[str]:
    return [shortened(fact.text, SHORT) for fact in ctx.state.facts[-MOST_KNOWN:]]


def _asked_before(ctx: TransferContext) -> list[BacklogItem]:
    asked = [item for item in ctx.state.items if item.round and item.id != ctx.state.open_id]
    return sorted(asked, key=lambda item: item.round)


def _condensed(ctx: TransferContext, item: BacklogItem) -> TransferExchange:
    facts = "; ".join(fact.text for fact in ctx.state.facts if fact.question == item.id)
    return TransferExchange(
        question=shortened(item.text, SHORT), answer=shortened(facts or item.answer, SHORT)
    )


def _source(source: SourceMaterial, document: DocumentMaterial | None) -> Source:
    dive = document.dive if document else DeepDive()
    return Source(
        document=source.document,
        place=source.place,
        text=shortened(source.text, LONG),
        purpose=shortened(dive.purpose, SHORT),
        holds=_held(dive),
    )


def _held(dive: DeepDive) -> list[str]:
    kinds = (dive.formulas, dive.thresholds, dive.decisions, dive.people, dive.gaps, dive.points)
    return [shortened(one, SHORT) for kind in kinds for one in kind[:HELD]]
