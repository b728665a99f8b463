from collections.abc import AsyncGenerator

from llm.providers.base import Event, Fault, ModelRequest, ProviderError
from llm.tasks.task import Tier


class OfflineProvider:
    """No model at all, so that the fallbacks answer."""

    def model(self, tier: Tier) -> str:
        return ""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Event, None]:
        raise ProviderError(Fault.ACCESS, "no model is set up")
        yield  # makes this a generator, as the other providers' streams are
