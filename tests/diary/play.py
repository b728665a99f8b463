"""Run as a process: plays a diary to its end, and prints its transcript and table as JSON."""

import asyncio
import json
from typing import Any

import django
from django.core.management import call_command

SAID = ("We moved the hives.", "It rained, so I mended frames.", "The first honey.")


async def play() -> list[list[str]]:
    from tests.interviews.talk import begin

    talk = await begin(name="Ann")
    for text in SAID:
        await talk.say(text)
    return [[entry.kind, entry.text] for entry in await talk.entries()]


def pages(bot: Any, session: Any) -> list[str]:
    """Where admins meet a bot of this kind and its interviews."""
    return [
        "/admin/plans/bot/add/?protocol=diary",
        f"/admin/plans/bot/{bot.pk}/change/",
        f"/admin/plans/bot/{bot.pk}/preview/",
        f"/admin/interviews/session/{session.pk}/change/",
    ]


def main() -> None:
    from django.contrib.auth.models import User
    from django.test import Client

    from interviews.models import Session
    from interviews.turns.replay import first_difference
    from plans.bots.checklist import checklist
    from plans.models import Bot
    from tests.interviews.exports.reading import read

    call_command("migrate", run_syncdb=True, verbosity=0)
    options = {"question": "How are the bees?", "days": len(SAID)}
    bot = Bot.objects.create(
        demo=True,
        slug="bees",
        title="Bees",
        protocol="diary",
        status="live",
        is_default=True,
        options=options,
    )
    entries = asyncio.run(play())
    admin = Client(SERVER_NAME="localhost")
    admin.force_login(User.objects.create_superuser("admin"))
    session = Session.objects.get()
    print(
        json.dumps(
            {
                "status": session.status,
                "entries": entries,
                "days": read("days", "jsonl"),
                "transcript": len(read("transcripts", "jsonl")),
                "replay": first_difference(session),
                "pages": {page: admin.get(page).status_code for page in pages(bot, session)},
                "lacks": [item.label for item in checklist(bot) if item.needed and not item.done],
            },
            default=str,
        )
    )


if __name__ == "__main__":
    django.setup()
    main()
