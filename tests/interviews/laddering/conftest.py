"""What tests of laddering share."""

from collections.abc import Iterator

import pytest

from interviews.protocols.laddering.signals import SIGNALS
from plans.protocols.laddering.schema import vocabulary


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Signals that a test adds are gone after it."""
    monkeypatch.setattr(vocabulary, "_TERMS", dict(vocabulary._TERMS))
    kept = dict(SIGNALS)
    yield
    SIGNALS.clear()
    SIGNALS.update(kept)
