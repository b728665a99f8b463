"""Admin of interviews and invitations. Interviews can be read, exported and deleted, never changed.

Access keys are not shown anywhere.
"""

from interviews.admin.deliveries import MailAdmin, WebhookAdmin, WebhookDeliveryAdmin
from interviews.admin.exports import AccessRecordAdmin, ExportTokenAdmin
from interviews.admin.invitations import InvitationAdmin
from interviews.admin.participants import ParticipantAdmin
from interviews.admin.sessions import SessionAdmin
from interviews.admin.turns import EntryAdmin, TurnAdmin
