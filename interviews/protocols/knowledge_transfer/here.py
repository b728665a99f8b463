"""Looks at where a knowledge transfer stands that several files need."""

from pathlib import Path

from interviews.engine.texts import fixed
from interviews.engine.types import BacklogItem, Move, Now, Utterance
from interviews.protocols.knowledge_transfer.state import KnowledgeTransferState
from interviews.words import Kind
from plans.content.knowledge_transfer import (
    KnowledgeTransferMaterial,
    KnowledgeTransferOptions,
)

FOLDER = Path(__file__).parent / "texts"
FOLLOW_UP = "FOLLOW_UP"  # the origin of follow-ups

Here = Now[KnowledgeTransferState, KnowledgeTransferMaterial]
NextMove = Move[KnowledgeTransferState]


def options_of(now: Here) -> KnowledgeTransferOptions:
    """What the admin has set."""
    return now.material.options


def project_of(now: Here) -> str:
    """What is handed over, as participants call it."""
    return options_of(now).project or now.plan.title


def say(language: str, key: str, turn: int = 0, **words: str) -> str:
    """One of the fixed sentences, filled in; the turn chooses among several wordings."""
    text = fixed(language, key, turn=turn, folder=FOLDER)
    for name, value in words.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def put(item: BacklogItem, text: str = "") -> Utterance:
    """A question of the backlog as an utterance."""
    kind = Kind.FOLLOW_UP if item.origin == FOLLOW_UP else Kind.QUESTION
    return Utterance(kind, text or item.asked or item.text, item.id, item.round)
