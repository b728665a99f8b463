from django.conf import settings
from django.db import models

from interviews.models.session import Session


class DistressReview(models.Model):
    """A person has looked at a flagged interview. A later sign asks for another look."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="looks")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    by = models.CharField(max_length=150)  # user name: accounts get deleted
    note = models.TextField(blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["at"]
        db_table = "interviews_look"
        default_permissions = []
        permissions = [("add_look", "Can add look")]

    def __str__(self) -> str:
        return f"{self.by}, {self.at:%Y-%m-%d %H:%M}"
