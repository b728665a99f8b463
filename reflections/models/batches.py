from django.db import models

from plans.models import Bot


class Batch(models.Model):
    """Products requested at once over a bot's interviews; its reflections tell its progress."""

    bot = models.ForeignKey(Bot, on_delete=models.SET_NULL, null=True, related_name="batches")
    products = models.JSONField(default=list)  # names
    which = models.CharField(max_length=15, default="missing")  # interviews
    synthetic = models.BooleanField(default=False)
    previews = models.BooleanField(default=False)
    complete = models.BooleanField(default=True)  # all of it was requested
    estimate = models.DecimalField(max_digits=12, decimal_places=4, null=True)  # None: no price
    created_by = models.CharField(max_length=150)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "batches"
        default_permissions = ()  # the rights are those of reflections

    def __str__(self) -> str:
        return f"Batch {self.pk}"
