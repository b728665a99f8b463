"""The interface of providers, whatever protocol they speak.

Exceptions::

    Exception
    └── ProviderError          everything a provider can do wrong, with its `fault`
          permanent            asking again would not help (4xx, spend limits)
          retry_after          seconds that the provider asked to wait, if any

A provider raises nothing else (cancellation aside): what the SDKs don't wrap in mid-stream
(protocol errors, broken JSON, error events after a 200) becomes a ProviderError too.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

from llm.tasks.task import Message, Role, Tier


class Fault(StrEnum):
    RATE_LIMIT = "rate limit"
    SPEND_LIMIT = "spend limit"
    OVERLOADED = "overloaded"
    SERVER = "server error"
    CONNECTION = "connection error"
    BROKEN_STREAM = "broken stream"
    TIMEOUT = "timeout"
    ACCESS = "access denied"
    BAD_REQUEST = "bad request"


PERMANENT = frozenset({Fault.SPEND_LIMIT, Fault.ACCESS, Fault.BAD_REQUEST})


class ProviderError(Exception):
    def __init__(
        self, fault: Fault, message: str = "", *, retry_after: float | None = None
    ) -> None:
        super().__init__(f"{fault}: {message}" if message else str(fault))
        self.fault = fault
        self.permanent = fault in PERMANENT
        self.retry_after = retry_after


class Address(NamedTuple):
    """A server's URL (empty: the SDK's own service) and key."""

    base_url: str
    key: str


class Stop(StrEnum):
    END = "end"
    LENGTH = "length"
    REFUSAL = "refusal"
    SILENCE = "silence"  # in the midst of the reply; no provider says so


@dataclass(frozen=True, slots=True)
class Shape:
    """The JSON wanted: the output class's name and schema.

    `strict` is the schema for structured output; None if it can't be expressed so.
    """

    name: str
    schema: Mapping[str, Any]
    strict: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question, independent of providers; `system` is the stable, cacheable part."""

    task: str
    model: str
    system: str
    messages: tuple[Message, ...]
    shape: Shape | None = None
    max_tokens: int = 700
    temperature: float | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens so far; `input_tokens` excludes those of the cache."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0

    def __post_init__(self) -> None:
        """Take a count that can't be one as 0: no reply is lost because of it."""
        for name in self.__slots__:
            count = getattr(self, name)
            if not isinstance(count, int) or not 0 <= count < 2**31:
                object.__setattr__(self, name, 0)


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the reply. An empty one means that the model is at work (thinking)."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The reply is complete; `model` is the one that served it."""

    stop: Stop = Stop.END
    usage: Usage = field(default_factory=Usage)
    model: str = ""


Event = TextDelta | Usage | Finished


class Provider(Protocol):
    def model(self, tier: Tier) -> str:
        """Return the configured model of a tier; empty if this provider asks none."""
        ...

    def stream(self, request: ModelRequest) -> AsyncGenerator[Event, None]:
        """Yield the reply in pieces, ending with `Finished`. Raises ProviderError."""
        ...


def alternating(messages: Sequence[Message]) -> list[tuple[Role, list[str]]]:
    """Group texts so that roles alternate, as chat templates demand."""
    groups = groupby(messages, attrgetter("role"))
    return [(role, [message.text for message in group]) for role, group in groups]
