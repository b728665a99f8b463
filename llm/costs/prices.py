"""Prices calls by the price table, which admins can edit."""

import time
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from llm.models import LLMPrice
from llm.tasks.records import CallRecord

MILLION = Decimal(1_000_000)
CHARACTERS_A_TOKEN = 4
DEAREST = Decimal(5), Decimal(25)  # if the table is empty
FRESH = 60.0  # seconds for which a process caches the table


_prices: Sequence[LLMPrice] = ()
_read_at = float("-inf")


def _table() -> Sequence[LLMPrice]:
    global _prices, _read_at
    if time.monotonic() - _read_at > FRESH:
        _prices, _read_at = list(LLMPrice.objects.all()), time.monotonic()
    return _prices


def clear_cache() -> None:
    global _read_at
    _read_at = float("-inf")


def with_tokens(record: CallRecord) -> CallRecord:
    """Return the record with tokens estimated from its texts, if the provider reported none."""
    if not record.response or record.input_tokens or record.output_tokens:
        return record
    characters = len(record.request.get("system", ""))
    characters += sum(len(line["text"]) for line in record.request.get("messages", ()))
    return replace(
        record,
        input_tokens=characters // CHARACTERS_A_TOKEN,
        output_tokens=len(record.response) // CHARACTERS_A_TOKEN,
    )


def cost(record: CallRecord) -> Decimal | None:
    found = price(record.provider, record.model)
    if found is None:
        return None
    return (
        record.input_tokens * found.input
        + record.output_tokens * found.output
        + record.cache_read_tokens * found.cache_read
        + record.cache_write_tokens * found.cache_write
    ) / MILLION


def dearest() -> tuple[Decimal, Decimal]:
    """Return the table's highest prices per million input and output tokens."""
    table = _table()
    read = max((one.input for one in table), default=DEAREST[0])
    return read, max((one.output for one in table), default=DEAREST[1])


def price(provider: str, model: str) -> LLMPrice | None:
    """Return the provider's price with the longest matching prefix, or None."""
    own = (one for one in _table() if one.provider == provider)
    fitting = (one for one in own if model.startswith(one.model_prefix))
    return max(fitting, key=lambda one: len(one.model_prefix), default=None)
