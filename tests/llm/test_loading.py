"""SDKs are loaded beside the event loop."""

import asyncio
import threading
import time
from pathlib import Path

import pytest

from llm.providers.base import ModelRequest
from llm.providers.sdk import SDKProvider

LOADS = 0.5  # seconds
MODULE = f"""
import time
time.sleep({LOADS})
def client_for(address):
    raise LookupError
"""


async def test_the_loop_runs_on_while_another_thread_imports_the_sdk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slow_sdk.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    provider = SDKProvider("ANTHROPIC", "slow_sdk")
    checking = threading.Thread(target=provider.load)
    checking.start()
    await asyncio.sleep(LOADS / 5)

    latest, until = time.monotonic(), asyncio.ensure_future(_first_event(provider))
    late = 0.0
    while not until.done():
        await asyncio.sleep(0.01)
        late, latest = max(late, time.monotonic() - latest), time.monotonic()
    assert late < LOADS / 2
    with pytest.raises(LookupError):
        await until
    checking.join()


async def _first_event(provider: SDKProvider) -> None:
    async for _ in provider.stream(ModelRequest("task", "model", "", ())):
        return
