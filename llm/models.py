"""The log of calls to models, what they have cost, and the price table."""

from typing import ClassVar

from django.db import models

from llm.tasks.records import CallOutcome


class LLMCall(models.Model):
    session = models.CharField(max_length=36, blank=True, db_index=True, editable=False)
    turn = models.IntegerField(null=True, blank=True, help_text="Number of the turn.")
    bot = models.CharField(max_length=100, blank=True)
    task = models.CharField(max_length=100)
    template_version = models.CharField(max_length=20, blank=True)
    provider = models.CharField(max_length=40)
    model = models.CharField(max_length=200)
    tier = models.CharField(max_length=10)
    request = models.JSONField(default=dict)
    response = models.TextField(blank=True)
    input_tokens = models.PositiveIntegerField(default=0, help_text="Outside the cache.")
    output_tokens = models.PositiveIntegerField(default=0)
    cache_read_tokens = models.PositiveIntegerField(default=0)
    cache_write_tokens = models.PositiveIntegerField(default=0)
    cost = models.DecimalField(
        max_digits=14,
        decimal_places=8,
        null=True,
        blank=True,
        help_text="By the price table; empty for a model without a price.",
    )
    first_token_ms = models.PositiveIntegerField("first token, ms", null=True, blank=True)
    total_ms = models.PositiveIntegerField("total, ms", default=0)
    attempt = models.PositiveSmallIntegerField(default=1)
    outcome = models.CharField(max_length=12, choices=CallOutcome.choices)
    error = models.TextField(blank=True)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = "model call"
        ordering = ("-created_at", "-id")
        indexes: ClassVar = [models.Index(fields=["bot", "created_at"], name="llm_call_bot_time")]

    def __str__(self) -> str:
        return f"{self.task} · {self.model} · {self.outcome}"


class Spending(models.Model):
    """What models have cost in one hour on one account.

    Kept apart from the calls, which are deleted with an interview or when they expire.
    """

    account = models.CharField(max_length=40, blank=True)  # a bot's key; empty for nobody's
    hour = models.DateTimeField(db_index=True)
    cost = models.DecimalField(max_digits=16, decimal_places=8, default=0)

    class Meta:
        verbose_name = "spending"
        verbose_name_plural = "spending"
        ordering = ("-hour", "account")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "hour"], name="llm_spending_once_an_hour")
        ]

    def __str__(self) -> str:
        return f"{self.account or 'site'} · {self.hour:%Y-%m-%d %H:00} · {self.cost:.4f}"


class LLMPrice(models.Model):
    """Prices per million tokens; the longest matching prefix applies."""

    provider = models.CharField(max_length=40)
    model_prefix = models.CharField(max_length=200, help_text="How the model's name begins.")
    input = models.DecimalField(max_digits=10, decimal_places=4, help_text="Per million tokens.")
    output = models.DecimalField(max_digits=10, decimal_places=4, help_text="Per million tokens.")
    cache_read = models.DecimalField(
        max_digits=10, decimal_places=4, default=0, help_text="Per million tokens."
    )
    cache_write = models.DecimalField(
        max_digits=10, decimal_places=4, default=0, help_text="Per million tokens."
    )
    currency = models.CharField(max_length=3, default="USD")
    note = models.CharField(max_length=200, blank=True, help_text="Where the figure is from.")

    class Meta:
        verbose_name = "price"
        ordering = ("provider", "model_prefix")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["provider", "model_prefix"], name="llm_price_unique_prefix"
            )
        ]

    def __str__(self) -> str:
        return f"{self.provider}: {self.model_prefix}"
