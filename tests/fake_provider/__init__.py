"""A fake provider: an HTTP server that speaks both real wire formats, with faults on demand.

As a process, for benches and pilots:

    python -m tests.fake_provider --port 0 --ttft 0.4 --rate 60 --faults 'overloaded=0.05'

In a thread, for tests:

    with FakeProvider() as fake:
        fake.queue("rate_limit:1", "cut:4@LifeStoryLed")
        settings.ANTHROPIC_BASE_URL = fake.url          # OpenAI: fake.url + "/v1"

See `faults.py` for what can go wrong, `replies.py` for what is said.
"""

from tests.fake_provider.server import FakeProvider
from tests.fake_provider.state import Served, State

__all__ = ["FakeProvider", "Served", "State"]
