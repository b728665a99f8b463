from interviews.models.erasures import Erasure
from interviews.models.exports import AccessRecord, ExportFile, ExportToken
from interviews.models.facts import Code, CodeSuggestion, CodingStep, Edge, Fact, Node
from interviews.models.mail import Mail
from interviews.models.overview import OverviewDay, SharedOverview, TurnedAway
from interviews.models.participant import AccessKey, Invitation, InvitationKey, Participant
from interviews.models.session import (
    Assignment,
    CollectedValue,
    Consent,
    ConsentText,
    DistressReview,
    Rating,
    Session,
)
from interviews.models.transcript import Note, Paradata, TranscriptEntry, Turn
from interviews.models.webhooks import Webhook, WebhookDelivery
