"""A model whose words are queued, and a bot without documents."""

import pytest

from llm.providers import scripted
from tests.transfers import make_transfer_bot


@pytest.fixture(autouse=True)
def model(settings):
    settings.LLM_PROVIDER = "scripted"
    settings.LLM_BACKOFF = 0.001
    scripted.clear()
    yield scripted
    scripted.clear()


@pytest.fixture
def transfer(db):
    return make_transfer_bot(documents=False, questions=())
