"""Rows of the fieldwork."""

from interviews.models.collected import CollectedValue
from interviews.models.fact import Fact
from interviews.models.graph import Edge, Node
from interviews.models.participant import AccessKey, Participant
from interviews.models.session import Session
from interviews.models.transcript import Note, TranscriptEntry
from interviews.models.turn import Turn

__all__ = [
    "AccessKey",
    "CollectedValue",
    "Edge",
    "Fact",
    "Node",
    "Note",
    "Participant",
    "Session",
    "TranscriptEntry",
    "Turn",
]
