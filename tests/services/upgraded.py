"""Run as a process: begins interviews of every kind, or continues those that were begun.

    DATA_DIR=… python -m tests.services.upgraded begin     with the version to upgrade from
    DATA_DIR=… python -m tests.services.upgraded end       with this one, after `migrate`

`tests/services/upgrades/*.sqlite3.gz` were made so: `manage.py setup`, `begin`, then
`VACUUM`; keys are those of tests/environment.py.
"""

import asyncio
import json
import sys
from typing import Any

import django

BOTS = (
    *("life-story-short", "product-research", "technical-backend-en"),
    *("print-shop-handover", "evening-reading"),
)
BEFORE = 3  # answers
MOST = 200
ANSWERS = (
    "I usually do it the way my uncle showed me, since it has never failed so far.",
    "That depends on the day. In the evening I'm slower and check everything twice.",
    "It matters to me because I'd like to be somebody others can rely on.",
    "There was a year when nothing worked, and I learned most of what I know then.",
    "I'd first look at what has changed, then at the logs, and only then at the code.",
)
NOT_WANTED = "No, thank you."
ASKS_CONSENT = ("consent_request", "data_request", "deep_offer")


async def begin() -> None:
    from interviews.turns import actions
    from interviews.turns.session_start import StartRequest

    for slug in BOTS:
        started = await actions.start(StartRequest(slug, "Robin", "en"))
        for number in range(BEFORE):
            await _answer(started.session_id, number)


async def end() -> list[dict[str, Any]]:
    from interviews.models import Session

    told = []
    async for session in Session.objects.order_by("started_at"):
        before = [entry async for entry in session.entries.order_by("position").values()]
        answers = await _to_the_end(session.pk)
        after = [entry async for entry in session.entries.order_by("position").values()]
        told.append(
            {
                "protocol": (await _fresh(session.pk)).plan.protocol,
                "status": (await _fresh(session.pk)).status,
                "answers": answers,
                "kept": after[: len(before)] == before,
                "said": [entry["role"] for entry in after].count("participant"),
            }
        )
    return told


async def _to_the_end(session_id: Any) -> int:
    number = BEFORE
    while (await _fresh(session_id)).is_active and number < MOST:
        await _answer(session_id, number)
        number += 1
    return number


async def _answer(session_id: Any, number: int) -> None:
    from interviews.turns import actions

    session = await _fresh(session_id)
    last = await session.entries.filter(role="interviewer").order_by("-position").afirst()
    text = NOT_WANTED if last.kind in ASKS_CONSENT else f"{ANSWERS[number % 5]} ({number})"
    turn = await actions.receive(session, text, f"m{number}", "user_answer")
    assert await actions.finished(turn, 25)


async def _fresh(session_id: Any) -> Any:
    from interviews.models import Session

    return await Session.objects.select_related("plan", "bot").aget(pk=session_id)


if __name__ == "__main__":
    django.setup()
    print(json.dumps(asyncio.run(begin() if "begin" in sys.argv else end())))
