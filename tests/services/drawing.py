"""Run as a process: many interviews end at once, and draw from one pool that is too small.

Prints what each was given, as JSON. With the argument "last", others wait for the last code.
"""

import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import django

from tests.services.processes import wait_until

SESSIONS, CODES = 50, 30
WAITING = 5
ALONE = threading.Barrier(1)


def draw() -> list[str]:
    """Codes as given; empty for those told that none was left."""
    from plans.models import Bot, RewardCode

    bot = Bot.objects.get(slug="talk")
    RewardCode.objects.bulk_create(RewardCode(bot=bot, code=f"code-{i}") for i in range(CODES))
    sessions = [_session(bot) for _ in range(SESSIONS)]
    together = threading.Barrier(SESSIONS)
    with ThreadPoolExecutor(SESSIONS) as threads:
        return list(threads.map(lambda session: _reward(session, before=together), sessions))


def draw_last() -> list[str]:
    """Codes as given, the last one first: nobody ends before all know that there was one."""
    from django.db import transaction

    from plans.models import Bot, RewardCode

    bot = Bot.objects.get(slug="talk")
    RewardCode.objects.create(bot=bot, code="last")
    first, *others = [_session(bot) for _ in range(1 + WAITING)]
    together = threading.Barrier(WAITING)
    with ThreadPoolExecutor(WAITING) as threads:
        with transaction.atomic():
            drawn = _code(first)
            given = [threads.submit(_reward, session, after=together) for session in others]
            wait_until(_all_wait, 30)
        return [drawn, *(each.result() for each in given)]


def _all_wait() -> bool:
    from django.db import connection

    waiting = (
        "SELECT count(*) FROM pg_stat_activity "
        "WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        return cursor.execute(waiting).fetchone()[0] == WAITING


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


def _reward(session, before=ALONE, after=ALONE) -> str:
    from django.db import connection, transaction

    before.wait(30)
    try:
        with transaction.atomic():
            code = _code(session)
            after.wait(30)
            return code
    finally:
        connection.close()


def _code(session) -> str:
    from interviews.measures.rewards import reward_for
    from plans.protocols import RewardOptions

    return reward_for(session, RewardOptions(kind="pool"), early=False).code


if __name__ == "__main__":
    django.setup()
    print(json.dumps(draw_last() if sys.argv[1:] == ["last"] else draw()))
