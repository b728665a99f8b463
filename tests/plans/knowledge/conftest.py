"""A model whose words are queued, and a bot without documents."""

import pytest

from tests.scripted import scripted
from tests.transfers import make_transfer_bot


@pytest.fixture(autouse=True)
def documents(request):
    """Tests marked `bounded` read documents as the site does, in a process of their own."""
    if request.node.get_closest_marker("bounded") is None:
        request.getfixturevalue("read_here")


@pytest.fixture(autouse=True)
def model(settings):
    settings.LLM_PROVIDER = "scripted"
    settings.LLM_BACKOFF = 0.001
    return scripted


@pytest.fixture
def transfer(db):
    return make_transfer_bot(documents=False, questions=())
