"""Times the overview of a bot with many interviews: `python -m tests.load.overview`.

Fills a scratch database (DATABASE_URL, or SQLite) with 100,000 interviews over 30 days and a
million entries, then asks for the overview: the first time, once its days are rows, and again.
"""

import argparse
import os
import random
import statistics
import tempfile
import time
from datetime import timedelta
from uuid import UUID

SESSIONS, ENTRIES, DAYS = 100_000, 10, 30  # entries of each interview
BATCH = 5_000


def fill(bot, sessions: int, dice: random.Random) -> None:
    from django.utils import timezone

    from interviews.models import Session, TranscriptEntry, Turn
    from plans.bots.compile import plan_for

    plan, now = plan_for(bot), timezone.now()
    for first in range(0, sessions, BATCH):
        rows = [
            _session(Session, bot, plan, now, dice)
            for _ in range(first, min(first + BATCH, sessions))
        ]
        Session.objects.bulk_create(rows)
        turns = Turn.objects.bulk_create(
            Turn(
                session=row,
                number=number,
                message_id=f"m{number}",
                status="done",
                received_at=row.started_at + timedelta(minutes=3 * number),
                spoken_at=row.started_at + timedelta(minutes=3 * number, seconds=2),
                decision={"reason": "planner", "firings": [], "details": {}},
                source=dice.choice(("model", "model", "model", "rules")),
                first_word_ms=dice.randrange(300, 3000),
                effort_score=dice.random(),
                effort_signs="",
            )
            for row in rows
            for number in range(ENTRIES // 2)
        )
        TranscriptEntry.objects.bulk_create(
            entry for turn in turns for entry in _entries(TranscriptEntry, turn, dice)
        )


def _session(model, bot, plan, now, dice: random.Random):
    started = now - timedelta(minutes=dice.randrange(30, DAYS * 24 * 60))
    status = dice.choices(("COMPLETED", "STOPPED", "WAITING_ANSWER"), (80, 10, 10))[0]
    at = 4 if status == "COMPLETED" else dice.randrange(1, 5)
    ended = None if status == "WAITING_ANSWER" else started + timedelta(minutes=15)
    return model(
        id=UUID(int=dice.getrandbits(128)),
        bot=bot,
        plan=plan,
        title=bot.title,
        status=status,
        started_at=started,
        ended_at=ended,
        progress={"current": at, "total": 4, "unit": "questions"},
    )


def _entries(model, turn, dice: random.Random):
    said = " ".join(["word"] * dice.randrange(1, 60))
    position = 2 * turn.number + 1
    common = {"session_id": turn.session_id, "turn": turn, "at": turn.received_at}
    yield model(
        slot=0,
        position=position,
        role="participant",
        kind="user_answer",
        text=said,
        message_id=turn.message_id,
        **common,
    )
    yield model(
        slot=1,
        position=position + 1,
        role="interviewer",
        kind="follow_up",
        text="What then?",
        **common,
    )


def timed(what: str, call, times: int = 1) -> None:
    from django.db import connection, reset_queries

    spent = []
    for _ in range(times):
        reset_queries()
        began = time.perf_counter()
        call()
        spent.append(1000 * (time.perf_counter() - began))
    queries = len(connection.queries)
    print(f"{what:44} {statistics.median(spent):9.1f} ms {queries:4} queries", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sessions", type=int, default=SESSIONS)
    chosen = options.parse_args()
    os.environ.setdefault("DATA_DIR", tempfile.mkdtemp())
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interviewsite.settings")
    os.environ["DEBUG"] = "1"  # so that queries are counted
    import django

    django.setup()
    from django.core.cache import cache
    from django.core.management import call_command
    from django.test.utils import setup_databases, setup_test_environment, teardown_databases
    from django.utils import timezone

    setup_test_environment(debug=True)
    databases = setup_databases(verbosity=0, interactive=False)
    try:
        call_command("check", verbosity=0)
        from interviews.models import OverviewDay
        from interviews.overview.figures import overview
        from tests.conftest import make_bot

        bot = make_bot(status="live")
        fill(bot, chosen.sessions, random.Random(7))
        print(f"{chosen.sessions:,} interviews, {chosen.sessions * ENTRIES:,} entries")
        timed("First look, in a new process", lambda: overview(bot, timezone.now()))

        def first_look():
            OverviewDay.objects.all().delete()
            cache.clear()
            overview(bot, timezone.now())

        timed("First look", first_look, times=5)
        timed("Days are rows", lambda: overview(bot, timezone.now()), times=9)
        now = timezone.now() + timedelta(minutes=10)

        def again():
            nonlocal now
            now += timedelta(minutes=10)
            overview(bot, now)

        timed("The last two days counted again", again, times=5)

        def without_cache():
            cache.clear()
            overview(bot, timezone.now())

        timed("The latest turns read again", without_cache, times=5)
    finally:
        teardown_databases(databases, verbosity=0)


if __name__ == "__main__":
    main()
