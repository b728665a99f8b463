"""Admin of interviews and invitations. Interviews can be read, exported and deleted, never changed.

Access keys are not shown anywhere.
"""

from interviews.admin.exports import AccessRecordAdmin, ExportTokenAdmin
from interviews.admin.invitations import InvitationAdmin
from interviews.admin.mails import MailAdmin
from interviews.admin.participants import ParticipantAdmin
from interviews.admin.sessions import SessionAdmin
from interviews.admin.turns import EntryAdmin, TurnAdmin
from interviews.admin.webhooks import WebhookAdmin, WebhookDeliveryAdmin
