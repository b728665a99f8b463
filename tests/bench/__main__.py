"""`make bench`: prints a table, and writes JSON with --json FILE; --short is for CI."""

import argparse
import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import django
from django.conf import settings
from django.test import override_settings

import tests.environment  # noqa: F401  a world of its own, before the settings are read
from tests.bench import load, many
from tests.bench.figures import Figure, as_json, table
from tests.bench.processes import provider
from tests.services import warm


def main() -> None:
    """Prepare a database, measure, print."""
    options = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    options.add_argument("--short", action="store_true", help="only to see that it works")
    options.add_argument("--json", type=Path, help="where to write the figures")
    given = options.parse_args()
    figures: list[Figure] = []
    for found in _measured(given.short):
        print(table(found), flush=True)
        figures += found
    if given.json:
        given.json.write_text(as_json(figures), encoding="utf-8")


def _prepare(url: str) -> None:
    """Django with the fake model; the conversations without a model switch it off."""
    os.environ.update(
        DJANGO_SETTINGS_MODULE="interviewsite.settings",
        LLM_PROVIDER="anthropic",
        ANTHROPIC_API_KEY="bench",
        ANTHROPIC_BASE_URL=url,
    )
    django.setup()
    from tests import database  # it needs the settings

    database.make()


def _measured(short: bool) -> Iterator[list[Figure]]:
    yield load.measure(short)
    yield many.measure(short)
    with provider(0.2, 120.0) if short else provider() as url:
        _prepare(url)
        # they need the settings
        from tests.bench import exploring, growing, laddering, piloting, starting, waits

        warm.on = short  # whatever tests/conftest.py does
        with override_settings(LLM_PROVIDER="offline"):
            yield asyncio.run(growing.growth(12 if short else 300))
            yield from piloting.pilots(1 if short else 20)
        yield exploring.without_a_model(4 if short else 200)
        yield exploring.with_a_model(10 if short else 60)
        yield laddering.choosing()
        yield starting.measure(settings.DATA_DIR, 1 if short else 5)
        yield waits.measure(url, 2 if short else 16)


if __name__ == "__main__":
    main()
