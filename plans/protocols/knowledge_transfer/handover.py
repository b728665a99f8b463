"""A knowledge transfer at a glance: counts for its page, and all that its interviewer knows."""

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
    """How far the documents are, and how many questions wait."""

    state: Progress
    asked: int  # P0 and P1
    unasked: int  # P2


def handover_facts(bot: Bot) -> HandoverFacts:
    """The facts of a saved bot."""
    unasked = bot.backlog.filter(priority=BacklogQuestion.Priority.P2).count()
    return HandoverFacts(progress(bot), bot.backlog.count() - unasked, unasked)


@dataclass(frozen=True)
class KnownDocument:
    """A document as the interviewer knows it."""

    row: Document
    dive: DeepDive

    @property
    def lists(self) -> list[tuple[str, tuple[str, ...]]]:
        """What was found, under its headings; its own sentences where that is nothing."""
        named = (n for n in DeepDive.model_fields if n not in ("purpose", "points"))
        found = [(name.capitalize(), getattr(self.dive, name)) for name in named]
        return [pair for pair in found if pair[1]] or [("From the document", self.dive.points)]


@dataclass(frozen=True)
class Handover:
    """Summary, documents and questions, as an interview that begins now gets them."""

    summary: SafeString
    documents: Sequence[KnownDocument]
    waiting: int  # documents that it would not know yet
    asked: Sequence[BacklogQuestion]
    unasked: Sequence[BacklogQuestion]
    options: KnowledgeTransferOptions


def handover(bot: Bot) -> Handover:
    """What the interviewer knows."""
    questions = ordered_questions(bot)
    known = [KnownDocument(row, dive_of(row)) for row in bot.documents.all() if row.content]
    return Handover(
        summary=as_html(summary_of(bot)),
        documents=known,
        waiting=progress(bot).waiting,
        asked=[one for one in questions if one.priority != "P2"],
        unasked=[one for one in questions if one.priority == "P2"],
        options=options_of(bot),
    )
