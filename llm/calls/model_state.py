"""Whether the provider accepts our key, checked in the background of each process."""

import asyncio
import logging

from llm.calls.call import redact_keys
from llm.providers import PROVIDERS
from llm.providers.base import Fault, ProviderError
from llm.providers.sdk import SDKProvider
from llm.routing.routes import has_model, provider_name

log = logging.getLogger(__name__)
NO_MODEL, UNCHECKED, ACCEPTED, AWAY = "none", "key not checked", "key accepted", "not reachable"
FAULTS = {Fault.ACCESS: "key refused", Fault.BAD_REQUEST: "key can't be checked"}
_status, _reason = UNCHECKED, ""


def status() -> str:
    return _status if has_model() else NO_MODEL


def summary() -> str:
    """Return the state in one line for operators, with the provider's reason."""
    if not has_model():
        return "No model: interviews are led by rules"
    name = provider_name().title().replace("Openai", "OpenAI")
    return f"Interviewer: {name}, {_status}{_reason}"


def is_well() -> bool:
    return status() in (NO_MODEL, UNCHECKED, ACCEPTED)


async def watch() -> None:
    """Check the key for ever, more often until it is accepted, and log each change."""
    global _status, _reason
    logged = ""
    while True:
        provider = PROVIDERS.get(provider_name())
        if isinstance(provider, SDKProvider):
            try:
                await provider.check()
                _status, _reason = ACCEPTED, ""
            except ProviderError as error:
                _status, _reason = FAULTS.get(error.fault, AWAY), f": {redact_keys(str(error))}"
        if status() != logged:
            logged = status()
            log.log(logging.INFO if is_well() else logging.WARNING, summary())
        await asyncio.sleep(600 if is_well() else 60)
