import uuid

from django.db import models
from django.db.models import Q

from plans.models import Bot


class Participant(models.Model):
    """A person who is interviewed, without an account."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name or f"Participant {str(self.id)[:8]}"


class AccessKey(models.Model):
    """A 128-bit secret that opens a participant's sessions; only its hash is stored.

    With a session it is that session's token (link, API); without, a browser's cookie.
    """

    digest = models.CharField(max_length=64, unique=True)
    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="keys")
    session = models.ForeignKey(
        "interviews.Session", on_delete=models.CASCADE, null=True, related_name="keys"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"Key of {self.participant_id}"


class Invitation(models.Model):
    """A person invited to one bot's interview. Name and address are contact data."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    bot = models.ForeignKey(Bot, on_delete=models.CASCADE, related_name="invitations")
    # whose sessions it opens; made with the invitation
    participant = models.OneToOneField(
        Participant, on_delete=models.SET_NULL, null=True, related_name="invitation"
    )
    name = models.CharField(max_length=200, blank=True)
    email = models.EmailField(blank=True)
    language = models.CharField(max_length=12, blank=True)  # of e-mail and interview
    reference = models.CharField(
        max_length=100, blank=True, help_text="The person's ID in your own records."
    )
    params = models.JSONField(default=dict, blank=True)  # go into the session
    expires_at = models.DateTimeField(
        "expires",
        null=True,
        blank=True,
        help_text="In UTC. Nobody can start after this; interviews that have started can be "
        "finished.",
    )
    revoked_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)  # the first e-mail
    reminded_at = models.DateTimeField(null=True, blank=True)  # the last reminder
    reminders = models.PositiveSmallIntegerField(default=0)
    entered_at = models.DateTimeField(null=True, blank=True)  # first exchanged for a cookie
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        permissions = [("view_contacts", "Can view names and addresses of invited people")]
        constraints = [
            models.UniqueConstraint(
                fields=["bot", "reference"],
                condition=~Q(reference=""),
                name="invitation_reference_once_a_bot",
            )
        ]

    def __str__(self) -> str:
        return self.reference or f"Invitation {str(self.id)[:8]}"


class InvitationKey(models.Model):
    """A 128-bit secret in an invitation's link; only its hash is stored."""

    digest = models.CharField(max_length=64, unique=True)
    invitation = models.ForeignKey(Invitation, on_delete=models.CASCADE, related_name="keys")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        default_permissions = []

    def __str__(self) -> str:
        return f"Key of {self.invitation_id}"
