"""Run as a process: many interviews end at once, and draw from one pool that is too small.

Prints what each was given, as JSON.
"""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import django

SESSIONS, CODES = 50, 30


def draw() -> list[str]:
    """Codes as given; empty for those told that none was left."""
    from plans.models import Bot, RewardCode

    bot = Bot.objects.get(slug="talk")
    RewardCode.objects.bulk_create(RewardCode(bot=bot, code=f"code-{i}") for i in range(CODES))
    sessions = [_session(bot) for _ in range(SESSIONS)]
    together = threading.Barrier(SESSIONS)
    with ThreadPoolExecutor(SESSIONS) as threads:
        return list(threads.map(lambda session: _reward(session, together), sessions))


def _session(bot):
    from django.utils import timezone

    from interviews.models import Participant, Session
    from plans.bots.compile import plan_for

    return Session.objects.create(
        bot=bot,
        plan=plan_for(bot),
        participant=Participant.objects.create(),
        title=bot.title,
        started_at=timezone.now(),
    )


def _reward(session, together: threading.Barrier) -> str:
    from django.db import connection, transaction

    from interviews.measures.rewards import reward_for
    from plans.protocols import RewardOptions

    together.wait(30)
    try:
        with transaction.atomic():
            return reward_for(session, RewardOptions(kind="pool"), early=False).code
    finally:
        connection.close()


if __name__ == "__main__":
    django.setup()
    print(json.dumps(draw()))
