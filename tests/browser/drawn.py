"""As a process with DATA_DIR set: laddering interviews with graphs of several sizes. Prints ids."""

import json
import os
import sys

import django

SIZES = (5, 50, 300)


def fill() -> dict[str, str]:
    """A bot, an interview of each size, one whose graph is empty, and some more to count.

    `mapped` is a bot with few of them: axe takes a minute for hundreds of nodes, which are alike.
    """
    from tests.interviews.graphed import graphed, make_ladder_bot

    mapped = make_ladder_bot(slug="mapped")
    for _ in range(3):
        graphed(10, mapped)
    bot = make_ladder_bot(slug="drawn")  # the latest, whose ladders are shown first
    made = {str(size): str(graphed(size, bot).pk) for size in SIZES}
    empty = graphed(1, bot)
    empty.nodes.all().delete()
    for _ in range(3):
        graphed(10, bot)
    return made | {"0": str(empty.pk)}


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interviewsite.settings")
    django.setup()
    json.dump(fill(), sys.stdout)
