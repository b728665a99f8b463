"""How many examples Hypothesis tries: a fifth in `make test`, all of them in `make test-long`."""

import os

LONG = os.environ.get("TEST_LONG") == "1"


def examples(most: int) -> int:
    """At most so many, and ten at least."""
    return most if LONG else max(most // 5, 10)
