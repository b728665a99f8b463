from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from plans.models import BacklogQuestion, Bot, Document
from plans.protocols.knowledge_transfer.analysis.status import Progress, progress
from plans.protocols.knowledge_transfer.backlog import ordered_questions
from plans.protocols.knowledge_transfer.backlog_files import summary_of
from plans.protocols.knowledge_transfer.content import (
    DeepDive,
    KnowledgeTransferOptions,
    dive_of,
    options_of,
)
from plans.text.markdown import as_html


@dataclass(frozen=True)
class HandoverFacts:
    state: Progress
    asked: int  # P0 and P1
    unasked: int  # P2


def handover_facts(bot: Bot) -> HandoverFacts:
    unasked = bot.backlog.filter(priority=BacklogQuestion.Priority.P2).count()
    return HandoverFacts(progress(bot), bot.backlog.count() - unasked, unasked)


@dataclass(frozen=True)
class KnownDocument:
    row: Document
    dive: DeepDive

    @property
    def lists(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return the findings by heading, or the document's own sentences if there are none."""
        names = (n for n in DeepDive.model_fields if n not in ("purpose", "points"))
        lists = [(name.capitalize(), getattr(self.dive, name)) for name in names]
        return [pair for pair in lists if pair[1]] or [("From the document", self.dive.points)]


@dataclass(frozen=True)
class Handover:
    summary: SafeString
    documents: Sequence[KnownDocument]
    waiting: int  # documents that it would not know yet
    asked: Sequence[BacklogQuestion]
    unasked: Sequence[BacklogQuestion]
    options: KnowledgeTransferOptions


def handover(bot: Bot) -> Handover:
    questions = ordered_questions(bot)
    return Handover(
        summary=as_html(summary_of(bot)),
        documents=[KnownDocument(r, dive_of(r)) for r in bot.documents.all() if r.content],
        waiting=progress(bot).waiting,
        asked=[q for q in questions if q.priority != "P2"],
        unasked=[q for q in questions if q.priority == "P2"],
        options=options_of(bot),
    )
