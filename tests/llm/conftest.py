"""Short clocks, no memory from one test to the next, and no way out of this machine."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from llm.calls import log
from llm.providers import PROVIDERS
from llm.tasks.call_context import CallContext
from llm.tasks.records import CallRecord
from tests.fake_provider import FakeProvider

LOCAL = {"localhost", "127.0.0.1", "::1", None}
QUICK = {
    "LLM_PROVIDER": "scripted",
    "LLM_BACKOFF": 0.01,
    "ANTHROPIC_API_KEY": "",
    "ANTHROPIC_BASE_URL": "",
    "ANTHROPIC_CHAT_MODEL": "claude-sonnet-5-5",
    "ANTHROPIC_FAST_MODEL": "claude-haiku-5-5",
    "OPENAI_API_KEY": "",
    "OPENAI_BASE_URL": "",
    "OPENAI_CHAT_MODEL": "gpt-6.1-terra",
    "OPENAI_FAST_MODEL": "gpt-6-luna",
    "TOGETHER_API_KEY": "",
    "LLM_MAIN_FALLBACK": "",
    "LLM_FAST_FALLBACK": "",
}


@pytest.fixture(autouse=True)
def _quick(settings: Any) -> None:
    for name, value in QUICK.items():
        setattr(settings, name, value)


@pytest.fixture(autouse=True)
def _any_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """There are no interviews here: calls are stored for whatever they name."""
    monkeypatch.setattr(log, "_may_store", bool)


@pytest.fixture(autouse=True)
def _no_real_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.getaddrinfo

    def local_only(host: Any, *args: Any, **kwargs: Any) -> Any:
        assert host in LOCAL, f"a test asked for {host}"
        return real(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", local_only)


@pytest.fixture(autouse=True, scope="session")
def _imported() -> None:
    for name in ("anthropic", "openai"):
        PROVIDERS[name].load()


@pytest.fixture(scope="session")
def server() -> Iterator[FakeProvider]:
    """One fake provider for all tests of this process."""
    with FakeProvider(rate=1_000_000.0) as fake:
        yield fake


@pytest.fixture
def fake(server: FakeProvider, settings: Any) -> FakeProvider:
    """The fake provider, forgetful and quick; every provider's settings point at it."""
    server.reset()
    settings.ANTHROPIC_BASE_URL = server.url
    settings.OPENAI_BASE_URL = settings.TOGETHER_BASE_URL = f"{server.url}/v1"
    return server


@pytest.fixture(params=["anthropic", "openai"])
def wire(request: pytest.FixtureRequest, fake: FakeProvider, settings: Any) -> str:
    """Each wire format in turn, through its real SDK."""
    settings.LLM_PROVIDER = request.param
    return str(request.param)


@pytest.fixture
def records() -> list[CallRecord]:
    """Where `subject` puts its call records."""
    return []


@pytest.fixture
def subject(records: list[CallRecord]) -> CallContext:
    """Somebody to ask for, without a deadline."""
    return CallContext(session="s-1", turn=3, bot="b-1", record=records.append)
