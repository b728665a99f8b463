"""Times the search over a million utterances: `python -m tests.load.search`.

Fills a scratch database (DATABASE_URL, or SQLite) with interviews in three languages, of words as
frequent as in speech, and asks the admin's two lists for rare and frequent words. Says what the
index takes, and how long it takes to make, to withdraw an interview and to store a turn.
"""

import argparse
import os
import random
import statistics
import tempfile
import time
from functools import partial
from itertools import accumulate
from uuid import uuid4

SESSIONS, TURNS, WORDS, TEXTS = 50_000, 10, 30_000, 50_000
LANGUAGES = ("en", "de", "pl")
BATCH = 5_000


def fill(bot, sessions: int, dice: random.Random) -> None:
    from django.db import connection, transaction
    from django.utils import timezone

    from interviews.models import Session, TranscriptEntry, Turn
    from plans.bots.compile import plan_for

    plan, now = plan_for(bot), timezone.now()
    vocabulary = [_word(dice) for _ in range(WORDS)]
    summed = list(accumulate(1 / (rank + 2) for rank in range(WORDS)))  # Zipf's law
    texts = [
        (number, " ".join(dice.choices(vocabulary, cum_weights=summed, k=dice.randrange(5, 60))))
        for number in range(TEXTS)
    ]
    common = {"bot": bot, "plan": plan, "title": bot.title, "status": "COMPLETED"}
    common |= {"started_at": now, "ended_at": now}
    first, *_ = Session.objects.bulk_create(
        [Session(id=uuid4(), language=LANGUAGES[n % 3], **common) for n in range(sessions)],
        batch_size=BATCH,
    )
    for number in range(TURNS):
        turn = Turn.objects.create(
            session=first, number=number, message_id=number, status="done", received_at=now
        )
        for slot, role in enumerate(("participant", "interviewer")):
            TranscriptEntry.objects.create(
                session=first,
                turn=turn,
                slot=slot,
                position=2 * number + slot + 1,
                at=now,
                role=role,
                kind="user_answer",
                message_id=number,
            )
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("CREATE TABLE texts (id integer PRIMARY KEY, text text)")
        cursor.executemany("INSERT INTO texts VALUES (%s, %s)", texts)
        turns, entries = _columns(Turn, "session_id"), _columns(TranscriptEntry, "turn_id", "text")
        cursor.execute(
            f"INSERT INTO interviews_turn (session_id, {turns}) "
            f"SELECT session.id, {', '.join(f'turn.{one}' for one in turns.split(', '))} "
            "FROM interviews_session session CROSS JOIN interviews_turn turn "
            "WHERE turn.session_id <> session.id"
        )
        said = ", ".join(f"said.{one}" for one in entries.split(", ") if one != "session_id")
        cursor.execute(
            f"INSERT INTO interviews_transcriptentry ({entries}, turn_id, text) "
            f"SELECT {said}, turn.session_id, turn.id, texts.text FROM interviews_turn turn "
            "JOIN interviews_turn model ON model.number = turn.number "
            "JOIN interviews_transcriptentry said ON said.turn_id = model.id "
            f"JOIN texts ON texts.id = (turn.id * 7919 + said.slot * 10007) % {TEXTS} "
            f"WHERE turn.session_id <> model.session_id AND model.session_id = '{_key(first)}'"
        )
        cursor.execute("DROP TABLE texts")
    print(f"the most frequent word: {vocabulary[0]}, a rare one: {vocabulary[-1]}", flush=True)
    rare = list(TranscriptEntry.objects.order_by("pk").values_list("pk", flat=True)[:7])
    TranscriptEntry.objects.filter(pk__in=rare).update(text="The lighthouse keepers walked home.")
    for name, word in {
        "a rare word": "lighthouse",
        "rank 1,000": vocabulary[1_000],
        "rank 100": vocabulary[100],
        "the most frequent": vocabulary[0],
        "two frequent ones": f"{vocabulary[0]} {vocabulary[3]}",
        "a phrase": f'"{vocabulary[0]} {vocabulary[3]}"',
        "one, not another": f"{vocabulary[50]} -{vocabulary[0]}",
        "nothing": "qqqq",
        "signs without spaces": "面包 or 妈妈",
    }.items():
        SOUGHT[name] = word


SOUGHT: dict[str, str] = {}


def _key(session) -> str:
    from django.db import connection

    return session.pk.hex if connection.vendor == "sqlite" else str(session.pk)


def _columns(model, *others: str) -> str:
    names = [one.column for one in model._meta.local_concrete_fields if not one.primary_key]
    left = [name for name in names if name not in others]
    return ", ".join(sorted(left, key=lambda name: name == "session_id"))


def _word(dice: random.Random) -> str:
    return "".join(dice.choice("bdfgklmnprst") + dice.choice("aeiou") for _ in range(4))


def timed(what: str, call, times: int = 7) -> None:
    """The median and the best: other programs may have the processor meanwhile."""
    spent = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        spent.append(1000 * (time.perf_counter() - began))
    print(f"{what:50} {statistics.median(spent):8.1f} ms, best {min(spent):8.1f} ms", flush=True)


def found(words: str) -> None:
    """What the list of utterances asks: a page of them and the words around."""
    from interviews.models import TranscriptEntry
    from interviews.search.queries import saying, snippets

    entries = TranscriptEntry.objects.select_related("session__bot").order_by("-id")
    snippets(saying(entries, words)[:51])


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
    os.environ["DEBUG"] = "1"
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client
    from django.test.utils import setup_databases, teardown_databases

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
        client = Client(SERVER_NAME="localhost")
        searcher = User.objects.create_superuser("searcher")
        client.force_login(searcher)
        for name, words in SOUGHT.items():
            timed(f"utterances, {name}", partial(found, words))
        for name, words in SOUGHT.items():
            sessions = Session.objects.order_by()
            of_them = partial(search_sessions, sessions, words, searcher, False)
            timed(f"interviews, {name}", of_them)
        for page in ("transcriptentry", "session"):
            of_page = partial(client.get, f"/admin/interviews/{page}/")
            for name, words in SOUGHT.items():
                timed(f"the page of {page}, {name}", partial(of_page, {"q": words}))
        withdrawn = Session.objects.order_by("pk").exclude(status="WITHDRAWN")
        timed("an interview is withdrawn", lambda: withdraw(withdrawn[0]), 3)
    finally:
        teardown_databases(databases, verbosity=0)


if __name__ == "__main__":
    main()
