"""Times the search over a million utterances: `python -m tests.load.search`.

Fills a scratch database (DATABASE_URL, or SQLite) with interviews in three languages, of words as
frequent as in speech, and asks the admin's two lists for rare and frequent words. Says what the
index takes, and how long it takes to make, to withdraw an interview and to store a turn.
"""

import argparse
import os
import random
import tempfile
import time
from functools import partial
from uuid import uuid4

from tests.load.overview import BATCH, timed

SESSIONS, TURNS, WORDS = 50_000, 10, 30_000  # words of each language
LANGUAGES = ("en", "de", "pl")


def fill(bot, sessions: int, dice: random.Random) -> None:
    from django.utils import timezone

    from interviews.models import Session, TranscriptEntry, Turn
    from plans.bots.compile import plan_for

    plan, now = plan_for(bot), timezone.now()
    vocabulary = [_word(dice) for _ in range(WORDS)]
    frequency = [1 / (rank + 2) for rank in range(WORDS)]  # Zipf's law
    stock = dice.choices(vocabulary, frequency, k=1_000_000)

    def text() -> str:
        first = dice.randrange(len(stock) - 60)
        return " ".join(stock[first : first + dice.randrange(5, 60)])

    for first in range(0, sessions, BATCH):
        rows = Session.objects.bulk_create(
            Session(
                id=uuid4(),
                bot=bot,
                plan=plan,
                title=bot.title,
                status="COMPLETED",
                language=dice.choice(LANGUAGES),
                started_at=now,
                ended_at=now,
            )
            for _ in range(first, min(first + BATCH, sessions))
        )
        turns = Turn.objects.bulk_create(
            Turn(session=row, number=n, message_id=f"m{n}", status="done", received_at=now)
            for row in rows
            for n in range(TURNS)
        )
        common = {"at": now, "kind": "user_answer"}
        TranscriptEntry.objects.bulk_create(
            TranscriptEntry(
                session_id=turn.session_id,
                turn=turn,
                slot=slot,
                position=2 * turn.number + slot + 1,
                role=role,
                text=text(),
                message_id=turn.message_id,
                **common,
            )
            for turn in turns
            for slot, role in enumerate(("participant", "interviewer"))
        )
    print(f"the most frequent word: {vocabulary[0]}, a rare one: {vocabulary[-1]}", flush=True)
    TranscriptEntry.objects.filter(pk__in=[t.pk for t in TranscriptEntry.objects.all()[:7]]).update(
        text="The lighthouse keepers walked home."
    )
    for name, word in {
        "a rare word": "lighthouse",
        "rank 1,000": vocabulary[1_000],
        "rank 100": vocabulary[100],
        "the most frequent": vocabulary[0],
        "two frequent ones": f"{vocabulary[0]} {vocabulary[3]}",
        "a phrase": f'"{vocabulary[0]} {vocabulary[3]}"',
        "one, not another": f"{vocabulary[50]} -{vocabulary[0]}",
        "nothing": "qqqq",
    }.items():
        SOUGHT[name] = word


SOUGHT: dict[str, str] = {}


def _word(dice: random.Random) -> str:
    return "".join(dice.choice("bdfgklmnprst") + dice.choice("aeiou") for _ in range(4))


def found(words: str) -> None:
    """What the list of utterances asks: a page of them and the words around."""
    from interviews.models import TranscriptEntry
    from interviews.search.queries import saying, snippets

    entries = TranscriptEntry.objects.select_related("session__bot").order_by("-id")
    snippets(saying(entries, words)[:51], words)


def index_size(cursor, vendor: str) -> str:
    if vendor == "postgresql":
        cursor.execute(
            "SELECT pg_size_pretty(pg_relation_size('interviews_search')), pg_size_pretty("
            "sum(pg_column_size(search_words))), pg_size_pretty(pg_total_relation_size("
            "'interviews_transcriptentry')) FROM interviews_transcriptentry"
        )
        return "index {}, its column {}, the whole table {}".format(*cursor.fetchone())
    cursor.execute("SELECT sum(length(block)) FROM interviews_search_data")
    [size] = cursor.fetchone()
    cursor.execute("SELECT sum(length(text)) FROM interviews_transcriptentry")
    return f"index {size / 1e6:.0f} MB, words {cursor.fetchone()[0] / 1e6:.0f} MB"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sessions", type=int, default=SESSIONS)
    chosen = options.parse_args()
    os.environ.setdefault("DATA_DIR", tempfile.mkdtemp())
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interviewsite.settings")
    os.environ["DEBUG"] = "1"  # so that queries are counted
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client
    from django.test.utils import setup_databases, setup_test_environment, teardown_databases

    setup_test_environment(debug=True)
    databases = setup_databases(verbosity=0, interactive=False)
    try:
        call_command("check", verbosity=0)
        from interviews.admin.querysets import search_sessions
        from interviews.models import Session
        from interviews.turns.withdrawal import withdraw
        from tests.conftest import make_bot

        began = time.perf_counter()
        fill(make_bot(status="live"), chosen.sessions, random.Random(7))
        entries = chosen.sessions * TURNS * 2
        spent = time.perf_counter() - began
        print(f"{entries:,} utterances in {spent:.0f} s", flush=True)
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("VACUUM ANALYZE")
            print(index_size(cursor, connection.vendor), flush=True)
        client = Client()
        searcher = User.objects.create_superuser("searcher")
        client.force_login(searcher)
        for name, words in SOUGHT.items():
            timed(f"utterances, {name}", lambda w=words: found(w), 3)
        for name, words in SOUGHT.items():
            sessions = Session.objects.order_by()
            of_them = partial(search_sessions, sessions, words, searcher, False)
            timed(f"interviews, {name}", of_them, 3)
        for page in ("transcriptentry", "session"):
            address = f"/admin/interviews/{page}/"
            words = SOUGHT["rank 100"]
            timed(f"the page of {page}", lambda a=address, w=words: client.get(a, {"q": w}), 3)
        timed("an interview is withdrawn", lambda: withdraw(Session.objects.order_by("pk")[0]))
    finally:
        teardown_databases(databases, verbosity=0)


if __name__ == "__main__":
    main()
