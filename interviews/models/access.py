from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from plans.models import Bot


class AccessRecord(models.Model):
    """Who read or exported what. Holds no content, and outlives the interview and the account."""

    at = models.DateTimeField(default=timezone.now, db_index=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    name = models.CharField("user", max_length=150)
    what = models.CharField(max_length=200)
    bot = models.ForeignKey(Bot, on_delete=models.SET_NULL, null=True, related_name="+")
    session = models.UUIDField("interview", null=True, db_index=True)
    filters = models.JSONField(default=dict)  # of an export

    class Meta:
        default_permissions = ["view"]
        ordering = ["-at", "-id"]

    def __str__(self) -> str:
        return f"{self.name}: {self.what}"

    @classmethod
    def add(cls, user: Any, what: str, **about: Any) -> "AccessRecord":
        return cls.objects.create(user_id=user.pk, name=user.get_username(), what=what, **about)
