"""A model that is asked over a real wire."""

from typing import Any

from tests.fake_provider import FakeProvider
from tests.forgetting import forget_failures
from tests.llm.conftest import QUICK


def ask(settings: Any, fake: FakeProvider, provider: str) -> FakeProvider:
    """From now on models are asked by that provider's wire, and answer at once."""
    for name, value in QUICK.items():
        if not name.endswith("BASE_URL"):
            setattr(settings, name, value)
    settings.LLM_PROVIDER = provider
    forget_failures()
    return fake
