"""The fake provider as a process: prints its address, serves until it is stopped."""

import argparse
import asyncio
from contextlib import suppress

from tests.fake_provider.server import serve
from tests.fake_provider.state import State


def main() -> None:
    """Read the options and serve."""
    options = argparse.ArgumentParser(prog="python -m tests.fake_provider", description=__doc__)
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--port", type=int, default=0, help="0: any free one")
    options.add_argument("--ttft", type=float, default=0.4, help="seconds to the first token")
    options.add_argument("--rate", type=float, default=60.0, help="tokens a second")
    options.add_argument("--faults", default="", help="kind[:argument][@Schema]=rate, …")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    state = State(ttft=given.ttft, rate=given.rate, seed=given.seed)
    state.set_rates(given.faults)
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(state, given.host, given.port, lambda url: print(url, flush=True)))


if __name__ == "__main__":
    main()
