"""Whether the key is accepted, as operators are told; by the real SDKs."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest

from llm.calls import model_state
from tests.fake_provider import FakeProvider
from tests.services.processes import free_port

REAL_SLEEP = asyncio.sleep
LABELS = {"anthropic": "Anthropic", "openai": "OpenAI"}


@pytest.fixture(autouse=True)
def _unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_state, "_status", model_state.UNCHECKED)
    monkeypatch.setattr(model_state, "_reason", "")


@pytest.fixture(params=list(LABELS))
def provider(request: pytest.FixtureRequest, fake: FakeProvider, settings: Any) -> str:
    """Each provider with an SDK of its own, at the fake's address."""
    settings.LLM_PROVIDER = request.param
    settings.ANTHROPIC_API_KEY = settings.OPENAI_API_KEY = "sk-secret-0123456789"
    return str(request.param)


async def eventually(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not true():
            await REAL_SLEEP(0.01)


@asynccontextmanager
async def watched() -> AsyncIterator[None]:
    """The background work of a process, once it has found something."""
    task = asyncio.create_task(model_state.watch())
    try:
        await eventually(lambda: model_state.status() != model_state.UNCHECKED)
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_an_accepted_key_is_told_once(
    provider: str, fake: FakeProvider, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "llm")
    async with watched():
        line = f"Interviewer: {LABELS[provider]}, key accepted"
        assert model_state.summary() == line
        assert [record.getMessage() for record in caplog.records] == [line]
        assert model_state.is_well()
    assert fake.total == 0  # no model was asked anything


async def test_a_refused_key_is_told_with_the_reason(
    provider: str, fake: FakeProvider, caplog: pytest.LogCaptureFixture
) -> None:
    fake.models_status = 401
    async with watched():
        assert model_state.status() == "key refused"
        line = model_state.summary()
        assert line.startswith(f"Interviewer: {LABELS[provider]}, key refused: ")
        assert "401" in line
        assert "sk-secret" not in line
        assert [(one.levelname, one.getMessage()) for one in caplog.records] == [("WARNING", line)]
        assert not model_state.is_well()


@pytest.mark.parametrize("status", [429, 500, 529])
async def test_a_provider_that_fails_has_not_refused_the_key(
    provider: str, fake: FakeProvider, status: int
) -> None:
    fake.models_status = status
    async with watched():
        assert model_state.status() == "not reachable"


async def test_nor_has_one_that_nobody_reaches(provider: str, settings: Any) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    settings.ANTHROPIC_BASE_URL, settings.OPENAI_BASE_URL = address, f"{address}/v1"
    async with watched():
        assert model_state.status() == "not reachable"


async def test_nor_has_one_without_a_list_of_models(provider: str, fake: FakeProvider) -> None:
    fake.models_status = 404
    async with watched():
        assert model_state.status() == "key can't be checked"


async def test_a_key_that_is_mended_is_noticed(
    provider: str, fake: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_state.asyncio, "sleep", lambda seconds: REAL_SLEEP(0.01))
    fake.models_status = 401
    async with watched():
        assert model_state.status() == "key refused"
        fake.models_status = 200
        await eventually(model_state.is_well)


async def test_without_a_model_rules_lead(settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "llm")
    settings.LLM_PROVIDER = "offline"
    async with watched():
        await asyncio.sleep(0)
        assert model_state.status() == "none"
        line = "No model: interviews are led by rules"
        assert [record.getMessage() for record in caplog.records] == [line]
