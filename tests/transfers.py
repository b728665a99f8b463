"""Knowledge transfers, for tests of what is about them."""

import hashlib

from plans.jobs import Job
from plans.models import BacklogQuestion, Bot, Document, DocumentPart, ProjectContext

DIVES = {
    "prices.xlsx": {
        "purpose": "Calculates offers of the print shop.",
        "formulas": ["price = sheets × price per sheet × 0.985 × rush factor"],
        "thresholds": ["rush factor 1.35", "smallest order 48 €"],
        "gaps": ["nothing says what the rush factor has to cover"],
        "points": [{"text": "The rush factor is 1.35.", "place": "“Prices”, A1:D9"}],
        "made_by": "model",
    },
    "reorder.py": {
        "purpose": "Writes the weekly paper order.",
        "thresholds": ["safety of 1.17"],
        "gaps": ["public holidays are unknown to it"],
        "points": [{"text": "SAFETY = 1.17", "place": "lines 1–20"}],
        "made_by": "rules",
    },
}
QUESTIONS = (
    ("rush-factor", "P0", "How did you arrive at a rush factor of 1.35?", "prices.xlsx"),
    ("safety", "P0", "Why must the safety of 1.17 in the paper script stay?", "reorder.py"),
    ("holidays", "P1", "How do you correct the paper list before a public holiday?", "reorder.py"),
    ("small-orders", "P1", "Which customers may order for less than 48 €?", "prices.xlsx"),
    ("recycled", "P2", "Does recycled paper still take nine days to arrive?", "reorder.py"),
)


def make_transfer_bot(documents: bool = True, **changes) -> Bot:
    """A live knowledge transfer of two documents and five questions, one of them P2.

    `options` are added to the standard ones; `questions` are (key, priority, text, document).
    """
    questions = changes.pop("questions", QUESTIONS)
    options = {"project": "prices and paper"} | changes.pop("options", {})
    given = {"slug": f"transfer-{Bot.objects.count()}", "title": "A handover", "status": "live"}
    bot = Bot.objects.create(
        **{
            **given,
            "protocol": "knowledge_transfer",
            "host": "Testers",
            "contact": "ask@example.org",
            **changes,
        },
        options=options,
    )
    if documents:
        for name, dive in DIVES.items():
            make_document(bot, name, dive)
        summary = "The shop calculates prices in a workbook and orders paper by a script."
        content = {"summary": summary, "questions": [], "made_by": "model"}
        ProjectContext.objects.create(bot=bot, status=Job.Status.READY, content=content)
    for position, (key, priority, text, document) in enumerate(questions):
        sources = [{"document": document, "place": "", "text": ""}] if document else []
        BacklogQuestion.objects.create(
            bot=bot, key=key, priority=priority, text=text, sources=sources, position=position
        )
    return bot


def make_document(bot: Bot, name: str, dive: dict[str, object]) -> Document:
    """A document that is read and looked into."""
    document = Document.objects.create(
        bot=bot,
        name=name,
        kind="xlsx" if name.endswith("xlsx") else "code",
        size=2048,
        digest=hashlib.sha256(name.encode()).hexdigest(),
        status=Job.Status.READY,
        content=dive,
    )
    for number, point in enumerate(dive.get("points", ()), start=1):
        DocumentPart.objects.create(
            document=document, number=number, place=point["place"], text=point["text"]
        )
    return document
