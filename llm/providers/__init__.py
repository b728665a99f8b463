"""The providers, by the names used in settings. To add one, add a file and a line here."""

from typing import Final

from llm.providers.base import Provider
from llm.providers.offline import OfflineProvider
from llm.providers.scripted import ScriptedProvider
from llm.providers.sdk import SDKProvider

scripted: Final = ScriptedProvider()

PROVIDERS: Final[dict[str, Provider]] = {
    "anthropic": SDKProvider("ANTHROPIC", "llm.providers.anthropic"),
    "openai": SDKProvider("OPENAI", "llm.providers.openai"),
    "together": SDKProvider("TOGETHER", "llm.providers.openai"),
    "offline": OfflineProvider(),
    "scripted": scripted,
}


def warm_up(name: str) -> None:
    """Import what the provider needs, so that its first question isn't slower."""
    provider = PROVIDERS.get(name)
    if isinstance(provider, SDKProvider):
        provider.load()
