import uuid
from collections.abc import Collection
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from plans.jobs import ANEW, Job
from plans.models import Bot

KEPT = timedelta(days=7)
GONE = "An interview in it was withdrawn or deleted. Export again."


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


class ExportToken(models.Model):
    """Lets a program export what its user may export. Only its hash is stored."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="export_tokens"
    )
    name = models.CharField(max_length=60, help_text="The program that uses it.")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]
        default_permissions = ["add", "view", "delete"]

    def __str__(self) -> str:
        return self.name


class ExportFile(Job):
    """An export made in the background; its content names a file in DATA_DIR."""

    key = models.UUIDField(default=uuid.uuid4, unique=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="export_files"
    )
    bot = models.ForeignKey(Bot, on_delete=models.SET_NULL, null=True, related_name="+")
    table = models.CharField(max_length=60)
    format = models.CharField(max_length=10)
    bom = models.BooleanField(default=False)
    filters = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(Job.Meta):
        ordering = ["-created_at"]
        default_permissions = []

    def __str__(self) -> str:
        return f"{self.bot.slug if self.bot else 'all bots'}: {self.table} as {self.format}"

    @classmethod
    def forget(cls, bots: Collection[int | None]) -> None:
        """Drop files that may hold interviews of these bots; those under way begin anew.

        Call it in the transaction that removes an interview. An export that begins before that is
        committed still reads the interview, so they are looked for once more afterwards.
        """
        cls._forget(bots)
        transaction.on_commit(partial(cls._forget, bots), robust=True)

    @classmethod
    def _forget(cls, bots: Collection[int | None]) -> None:
        anywhere = Q() if None in bots else Q(bot=None) | Q(bot__in=bots)
        rows = cls.objects.filter(anywhere)
        rows.filter(status=Job.Status.RUNNING).update(**ANEW)
        gone = {"status": Job.Status.FAILED, "reason": GONE, "content": {}}
        rows.filter(status=Job.Status.READY).update(**gone)
