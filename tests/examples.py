"""How many examples Hypothesis tries: a fifth in `make test`, all of them in `make test-long`."""

import os

LONG = os.environ.get("TEST_LONG") == "1"


def examples(most: int) -> int:
    """So many, or a fifth of them, but ten at least if there are as many."""
    return most if LONG else min(most, max(most // 5, 10))
