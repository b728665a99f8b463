"""What a call cost, by the price table that an admin can edit."""

import time
from collections.abc import Sequence
from decimal import Decimal

from llm.models import LLMPrice
from llm.tasks.records import CallRecord

MILLION = Decimal(1_000_000)
DEAREST = Decimal(5), Decimal(25)  # where the table is empty
FRESH = 60.0  # seconds for which a process keeps the table


class _Table:
    """The price table as last read."""

    def __init__(self) -> None:
        self.prices: Sequence[LLMPrice] = ()
        self.read_at = float("-inf")

    def fresh(self) -> Sequence[LLMPrice]:
        if time.monotonic() - self.read_at > FRESH:
            self.prices, self.read_at = list(LLMPrice.objects.all()), time.monotonic()
        return self.prices


_TABLE = _Table()


def forget() -> None:
    """Read the table anew at the next call."""
    _TABLE.read_at = float("-inf")


def cost(record: CallRecord) -> Decimal | None:
    """The cost in the price's currency; None for a model without a price."""
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
    """The highest prices of the table, for a million tokens read and written."""
    table = _TABLE.fresh()
    read = max((one.input for one in table), default=DEAREST[0])
    return read, max((one.output for one in table), default=DEAREST[1])


def price(provider: str, model: str) -> LLMPrice | None:
    """The provider's price with the longest prefix of the model's name."""
    fitting = [
        one
        for one in _TABLE.fresh()
        if one.provider == provider and model.startswith(one.model_prefix)
    ]
    return max(fitting, key=lambda one: len(one.model_prefix), default=None)
