"""What 100,000 interviews with a million utterances cost, on PostgreSQL.

Pages of the admin are compared with themselves at a tenth of the interviews, and the export with
PostgreSQL's own COPY of the same columns. Each step is a process of its own, whose memory is not
that of the others: `python -m tests.bench.many fill 1000`, `pages 3`, `export`.
"""

import json
import os
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import django
import psutil

from tests.bench.figures import Figure, median
from tests.requirements import postgresql_answers
from tests.services.databases import empty_postgresql
from tests.services.processes import environment, python, run

INTERVIEWS, SHORT = 100_000, 200
UTTERANCES, DAYS = 10, 30  # of each interview; in which they all began
BATCH = 5_000
LONGEST = 3_600.0  # seconds of a step
WORDS = (
    "We lived over a bakery in Riga, the five of us in two rooms, and my grandmother told stories "
    "every evening while the ovens below warmed the floor under our feet. "
)
COPY = """
COPY (
  SELECT b.slug, p.number, e.session_id, substr(encode(sha256(
           convert_to(s.participant_id::text, 'UTF8')), 'base64'), 1, 14),
         s.language, s.status, s.preview, s.synthetic, e.position,
         to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), e.role, e.kind,
         'life', e.question, e.number, t.number,
         CASE WHEN left(e.text, 1) IN ('=', '+', '-', '@', chr(9), chr(13))
              THEN '''' || e.text ELSE e.text END,
         cardinality(string_to_array(e.text, ' ')), length(e.text),
         round(extract(epoch FROM e.at - lag(e.at) OVER
               (PARTITION BY e.session_id ORDER BY e.position)), 3),
         CASE WHEN e.role = 'interviewer' THEN t.source END,
         CASE WHEN e.role = 'participant' THEN t.decision #>> '{details,intent}' END,
         CASE WHEN e.role = 'participant' THEN t.decision #>> '{details,care}' END,
         x.slug, a.name
  FROM interviews_transcriptentry e
  JOIN interviews_turn t ON t.id = e.turn_id
  JOIN interviews_session s ON s.id = e.session_id
  JOIN plans_bot b ON b.id = s.bot_id
  JOIN plans_plan p ON p.id = s.plan_id
  LEFT JOIN interviews_assignment i ON i.session_id = s.id
  LEFT JOIN plans_experimentarm a ON a.id = i.arm_id
  LEFT JOIN plans_experiment x ON x.id = a.experiment_id
  WHERE t.status = 'done' AND NOT s.preview AND NOT s.synthetic AND s.status <> 'WITHDRAWN'
  ORDER BY s.started_at, s.id, e.position
) TO STDOUT (FORMAT csv)
"""
Page = tuple[float, int]  # milliseconds and queries
FIRST_LOOK = "overview, first look"


def measure(short: bool) -> list[Figure]:
    """Nothing where no PostgreSQL answers."""
    if not postgresql_answers():
        return []
    interviews, times = (SHORT, "1") if short else (INTERVIEWS, "3")
    with TemporaryDirectory() as folder:
        env = environment(Path(folder), DATABASE_URL=empty_postgresql(Path(folder)).url)
        few = {}
        if not short:
            _done(env, "fill", str(interviews // 10))
            few = _done(env, "pages", times)
        _done(env, "fill", str(interviews))
        many = _done(env, "pages", times)
        found = _done(env, "export")
    return [*_of_pages(few or many, many, interviews), *_of_export(found)]


def _done(env: dict[str, str], *step: str) -> dict[str, Any]:
    done = run(python("-m", "tests.bench.many", *step), env, LONGEST)
    if done.returncode:
        raise RuntimeError(done.stderr[-3000:])
    return dict(json.loads(done.stdout))


def _of_pages(few: dict[str, Page], many: dict[str, Page], interviews: int) -> list[Figure]:
    first_look, _ = many[FIRST_LOOK]
    many = {name: page for name, page in many.items() if name != FIRST_LOOK}
    slowest = max(many, key=lambda name: many[name][0])
    grown = max(queries - few[name][1] for name, (_, queries) in many.items())
    return [
        Figure(
            f"{interviews:,} interviews, slowest page ({slowest})", many[slowest][0], "ms", "≤ 300"
        ),
        Figure("the same ÷ with a tenth of them", many[slowest][0] / few[slowest][0], "x"),
        Figure(f"queries more than with a tenth, most of {len(many)} pages", grown, "", "0"),
        Figure("first look at the overview", first_look, "ms", "≤ 300"),
    ]


def _of_export(found: dict[str, float]) -> list[Figure]:
    return [
        Figure("transcripts as CSV ÷ COPY, time", found["time"], "x", "≤ 3"),
        Figure("transcripts as CSV ÷ COPY, processor time", found["processor"], "x"),
        Figure("memory of an export", found["memory"], "MB", "< 150"),
        Figure("memory that one more export takes", found["grown"], "MB", "0"),
    ]


# -- interviews


def fill(interviews: int) -> dict[str, Any]:
    """As many as are missing."""
    from django.db import connection
    from django.utils import timezone

    from interviews.models import Participant, Session, TranscriptEntry, Turn
    from plans.bots.compile import plan_for
    from plans.models import Bot
    from tests import database
    from tests.conftest import make_bot

    if not connection.introspection.table_names():
        database.make()
    bot = Bot.objects.first() or make_bot(status="live")
    there = Session.objects.count()
    dice, now = random.Random(there), timezone.now()
    common = {"bot": bot, "plan": plan_for(bot), "title": bot.title}
    for first in range(there, interviews, BATCH):
        numbers = range(first, min(first + BATCH, interviews))
        people = Participant.objects.bulk_create(Participant(name=f"Person {n}") for n in numbers)
        sessions = Session.objects.bulk_create(
            Session(participant=one, **common, **_session(dice, now)) for one in people
        )
        turns = Turn.objects.bulk_create(
            Turn(session=one, **_turn(dice, one.started_at, number))
            for one in sessions
            for number in range(UTTERANCES // 2)
        )
        TranscriptEntry.objects.bulk_create(
            TranscriptEntry(session_id=turn.session_id, turn=turn, **said)
            for turn in turns
            for said in _said(dice, turn)
        )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return {}


def _session(dice: random.Random, now: datetime) -> dict[str, Any]:
    started = now - timedelta(minutes=dice.randrange(30, DAYS * 24 * 60))
    status = dice.choices(("COMPLETED", "STOPPED", "WAITING_ANSWER"), (80, 10, 10))[0]
    at = 4 if status == "COMPLETED" else dice.randrange(1, 5)
    return {
        "id": UUID(int=dice.getrandbits(128)),
        "status": status,
        "started_at": started,
        "ended_at": None if status == "WAITING_ANSWER" else started + timedelta(minutes=15),
        "progress": {"current": at, "total": 4, "unit": "questions"},
    }


def _turn(dice: random.Random, started: datetime, number: int) -> dict[str, Any]:
    return {
        "number": number,
        "message_id": f"m{number}",
        "status": "done",
        "received_at": started + timedelta(minutes=3 * number),
        "spoken_at": started + timedelta(minutes=3 * number, seconds=2),
        "decision": {"reason": "next", "firings": [], "details": {}},
        "source": dice.choice(("model", "model", "model", "rules")),
        "first_word_ms": dice.randrange(300, 3000),
        "effort_score": dice.random(),
        "effort_signs": "",
    }


def _said(dice: random.Random, turn: Any) -> Iterator[dict[str, Any]]:
    """An answer and the next question."""
    yield {
        "slot": 0,
        "position": 2 * turn.number + 1,
        "at": turn.received_at,
        "role": "participant",
        "kind": "user_answer",
        "message_id": turn.message_id,
        "text": WORDS * dice.randrange(1, 5),
    }
    yield {
        "slot": 1,
        "position": 2 * turn.number + 2,
        "at": turn.spoken_at,
        "role": "interviewer",
        "kind": "scripted_question",
        "question": f"q{turn.number % 4 + 1}",
        "number": turn.number % 4 + 1,
        "text": "What comes to mind when you think of that time?",
    }


# -- pages


def pages(times: int) -> dict[str, Page]:
    """The first page, every list, an interview, and the bot's overview, with an empty cache."""
    from django.contrib import admin
    from django.contrib.auth.models import User
    from django.core.cache import cache
    from django.test import Client
    from django.urls import reverse
    from django.utils import timezone

    from interviews.models import OverviewDay, Session
    from interviews.overview.figures import overview
    from plans.models import Bot

    def forget_days() -> None:
        OverviewDay.objects.all().delete()
        cache.clear()

    bot, session = Bot.objects.get(), Session.objects.earliest("started_at")
    addresses = {
        "overview": reverse("admin:interviews_session_overview", args=[bot.pk]),
        "first page": reverse("admin:index"),
        "an interview": reverse("admin:interviews_session_change", args=[session.pk]),
    }
    for model in admin.site._registry:
        name = f"{model._meta.app_label}_{model._meta.model_name}"
        shown = f"list of {model._meta.verbose_name_plural}"
        addresses[shown] = reverse(f"admin:{name}_changelist")
    client, name = Client(SERVER_NAME="localhost"), {"username": "admin"}
    client.force_login(User.objects.filter(**name).first() or User.objects.create_superuser(**name))
    # the first time loads what all later ones use; some lists lead to another page
    addresses = {
        name: address
        for name, address in addresses.items()
        if client.get(address).status_code == 200
    }
    first_look = _looked(client, addresses["overview"], forget_days, times)
    while overview(bot, timezone.now()).uncounted:
        pass
    found = {
        name: _looked(client, address, cache.clear, times) for name, address in addresses.items()
    }
    return found | {FIRST_LOOK: first_look}


def _looked(client: Any, address: str, before: Callable[[], object], times: int) -> Page:
    from tests.queries import counted

    took, queries = [], []
    for _ in range(times):
        before()
        with counted() as seen:
            began = time.perf_counter()
            client.get(address)
            took.append(1000 * (time.perf_counter() - began))
        queries.append(len(seen))
    return median(took), min(queries)


# -- export


def export() -> dict[str, float]:
    """Both ways; the processor time is that of this process and of PostgreSQL."""
    took, spent = _spent(_exported)
    copy_took, copy_spent = _spent(_copied)
    memory = _memory()
    _exported()
    return {
        "time": took / copy_took,
        "processor": spent / copy_spent,
        "memory": _memory(),
        "grown": _memory() - memory,
    }


def _spent(work: Callable[[], None]) -> tuple[float, float]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        server = psutil.Process(cursor.fetchone()[0])
    began, before = time.perf_counter(), time.process_time() + sum(server.cpu_times()[:2])
    work()
    spent = time.process_time() + sum(server.cpu_times()[:2]) - before
    return time.perf_counter() - began, spent


def _exported() -> None:
    from interviews.exports.archive import table_chunks
    from interviews.exports.formats import FORMATS
    from interviews.exports.registry import TABLES
    from interviews.exports.selection import Selection

    for _chunk in table_chunks(TABLES["transcripts"], Selection(), FORMATS["csv"]):
        pass


def _copied() -> None:
    from django.db import connection

    with connection.cursor() as cursor, cursor.copy(COPY) as stream:
        for _chunk in stream:
            pass


def _memory() -> float:
    """The most that this process has had; `getrusage` would count whoever started it, too."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interviewsite.settings")
    django.setup()
    step, *numbers = sys.argv[1:]
    steps = {"fill": fill, "pages": pages, "export": export}
    print(json.dumps(steps[step](*map(int, numbers))))


if __name__ == "__main__":
    main()
