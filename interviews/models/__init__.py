from interviews.models.facts import Code, CodeSuggestion, CodingStep, Edge, Fact, Node
from interviews.models.mail import Mail
from interviews.models.participant import AccessKey, Invitation, InvitationKey, Participant
from interviews.models.session import (
    CollectedValue,
    Consent,
    ConsentText,
    DistressReview,
    Rating,
    Session,
)
from interviews.models.transcript import Note, Paradata, TranscriptEntry, Turn

__all__ = [
    "AccessKey",
    "Code",
    "CodeSuggestion",
    "CodingStep",
    "CollectedValue",
    "Consent",
    "ConsentText",
    "DistressReview",
    "Edge",
    "Fact",
    "Invitation",
    "InvitationKey",
    "Mail",
    "Node",
    "Note",
    "Paradata",
    "Participant",
    "Rating",
    "Session",
    "TranscriptEntry",
    "Turn",
]
