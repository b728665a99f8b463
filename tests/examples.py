"""How many examples a test tries: a fifth in `make test`, all of them in `make test-long`."""

import os

LONG = os.environ.get("TEST_LONG") == "1"


def examples(most: int) -> int:
    """Return all of them in the long tests, otherwise a fifth, but not fewer than ten."""
    return most if LONG else min(most, max(most // 5, 10))
