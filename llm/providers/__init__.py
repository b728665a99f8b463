"""The providers, by the names used in settings. To add one, add a file and a line here."""

from typing import Final

from llm.providers.base import Provider
from llm.providers.sdk import OfflineProvider, SDKProvider

PROVIDERS: Final[dict[str, Provider]] = {
    "anthropic": SDKProvider("ANTHROPIC", "llm.providers.anthropic"),
    "openai": SDKProvider("OPENAI", "llm.providers.openai"),
    "together": SDKProvider("TOGETHER", "llm.providers.openai"),
    "offline": OfflineProvider(),
}
