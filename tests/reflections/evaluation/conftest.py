import pytest

from reflections.evaluation import runs
from tests.reflections.evaluation.cast import CAST


@pytest.fixture(autouse=True)
def cast(monkeypatch):
    """Two people take part, whatever the protocol."""
    monkeypatch.setattr(runs, "load", lambda protocol: CAST)
