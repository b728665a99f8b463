from interviews.models.collected import CollectedValue
from interviews.models.consent import Consent, ConsentText
from interviews.models.distress_review import DistressReview
from interviews.models.fact import Fact
from interviews.models.graph import Edge, Node
from interviews.models.invitation import Invitation, InvitationKey
from interviews.models.mail import Mail
from interviews.models.paradata import Paradata
from interviews.models.participant import AccessKey, Participant
from interviews.models.rating import Rating
from interviews.models.session import Session
from interviews.models.transcript import Note, TranscriptEntry
from interviews.models.turn import Turn

__all__ = [
    "AccessKey",
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
