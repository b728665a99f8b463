"""The record of one call to a model: plain data, stored by `llm.calls.log.save`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.db import models


class CallOutcome(models.TextChoices):
    OK = "ok", "usable"
    REPAIRED = "repaired", "usable after it was sent back with its errors"
    INVALID = "invalid", "not of the form asked for"
    EMPTY = "empty", "empty"
    TRUNCATED = "truncated", "cut off at the length limit"
    REFUSED = "refused", "refused by the model"
    ERROR = "error", "failed"
    TIMEOUT = "timeout", "too slow"
    CANCELLED = "cancelled", "not wanted any more"


@dataclass(frozen=True, slots=True)
class CallRecord:
    """Token counts are the provider's own; `input_tokens` excludes those of its cache."""

    session: str
    turn: int | None
    bot: str
    task: str
    template_version: str
    provider: str
    model: str
    tier: str
    request: Mapping[str, Any]
    response: str
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    first_token_ms: int | None
    total_ms: int
    attempt: int
    outcome: CallOutcome
    error: str = ""
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))
