"""How fast and how small an export is, against PostgreSQL's own COPY of the same columns.

    DATABASE_URL=postgresql://… python -m tests.load.bench_export --rows 200000

Fills the database named (an empty one) and prints JSON: rows a second both ways, their ratio (aim:
3 at most), the processor time of both ways (this process and PostgreSQL's), which a busy machine
doesn't change, that of JSON lines against CSV, the cost of paradata, and the memory.
"""

import argparse
import json
import os
import resource
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import django
import psutil

PER_SESSION = 100  # utterances
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


def main() -> None:
    """Fills, measures, prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--times", type=int, default=3, help="the best of so many counts")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interviewsite.settings")
    filling = os.fork()  # in a process of its own, whose memory is not the export's
    django.setup()
    if not filling:
        fill(asked.rows)
        os._exit(0)
    if os.waitpid(filling, 0)[1]:
        raise SystemExit("the database could not be filled")
    print(json.dumps(measured(asked.times), indent=2))


def fill(rows: int) -> None:
    """An empty database gets so many utterances."""
    from django.core.management import call_command
    from django.db import connection

    from interviews.models import Session, TranscriptEntry, Turn

    call_command("migrate", verbosity=0)
    there = TranscriptEntry.objects.count()
    sessions = [_session(number) for number in range((rows - there) // PER_SESSION)]
    Session.objects.bulk_create(sessions, batch_size=500)
    for session in sessions:
        Turn.objects.bulk_create(_turns(session))
        made = session.turns.order_by("number")
        TranscriptEntry.objects.bulk_create([e for turn in made for e in _entries(turn)])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _session(number: int):
    from interviews.models import Participant, Session
    from plans.bots.compile import plan_for
    from plans.models import Bot

    bot = Bot.objects.filter(slug="bench").first() or _bot()
    return Session(
        bot=bot,
        plan=plan_for(bot) if number == 0 else _known_plan(bot),
        participant=Participant.objects.create(name=f"Person {number}"),
        title="Bench",
        status="COMPLETED",
        started_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=number),
    )


def _known_plan(bot):
    return bot.plans.latest("number")


def _bot():
    from tests.conftest import make_bot

    return make_bot(40, slug="bench")


def _turns(session) -> list:
    from interviews.models import Turn

    return [
        Turn(
            session=session,
            number=number,
            message_id=f"m{number}",
            status="done",
            received_at=session.started_at + timedelta(seconds=60 * number),
            spoken_at=session.started_at + timedelta(seconds=60 * number + 5),
            decision={"reason": "planner", "firings": [], "details": {}},
            source="model",
            effort_score=0.0,
            effort_signs="",
        )
        for number in range(PER_SESSION // 2)
    ]


def _entries(turn) -> Iterator:
    from interviews.models import TranscriptEntry

    common = {"session_id": turn.session_id, "turn": turn}
    yield TranscriptEntry(
        **common,
        slot=0,
        position=turn.number * 2 + 1,
        at=turn.received_at,
        role="participant",
        kind="user_answer",
        message_id=turn.message_id,
        text=WORDS * (1 + turn.number % 4),
    )
    yield TranscriptEntry(
        **common,
        slot=1,
        position=turn.number * 2 + 2,
        at=turn.spoken_at,
        role="interviewer",
        kind="scripted_question",
        question=f"q{turn.number % 40 + 1}",
        number=turn.number % 40 + 1,
        text="What comes to mind when you think of that time?",
    )


def measured(times: int) -> dict[str, float]:
    """Both ways, the best of so many times."""
    wall, cpu = _best(lambda: _exported("transcripts"), times)
    copy_wall, copy_cpu = _best(_copied, times)
    _wall, lines_cpu = _best(lambda: _exported("transcripts", "jsonl"), times)
    _wall, paradata_cpu = _best(lambda: _exported("paradata"), times)
    rows = _rows()
    return {
        "rows": rows,
        "export_rows_a_second": round(rows / wall),
        "copy_rows_a_second": round(rows / copy_wall),
        "ratio": round(wall / copy_wall, 2),
        "ratio_of_processor_time": round(cpu / copy_cpu, 2),
        "processor_time_of_json_lines_to_csv": round(lines_cpu / cpu, 2),
        "microseconds_a_transcript_row": round(cpu / rows * 1e6, 1),
        "microseconds_a_paradata_row": round(paradata_cpu / (rows / 2) * 1e6, 1),
        "memory_grown_mb": round(_grown_mb(), 1),
        "memory_in_all_mb": round(_memory_mb(), 1),
    }


def _best(work: Callable[[], None], times: int) -> tuple[float, float]:
    """The least wall time, and the least processor time here and in PostgreSQL."""
    found = [_spent(work) for _ in range(times)]
    return min(wall for wall, _ in found), min(cpu for _, cpu in found)


def _spent(work: Callable[[], None]) -> tuple[float, float]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        server = psutil.Process(cursor.fetchone()[0])
    wall, cpu = time.perf_counter(), time.process_time() + sum(server.cpu_times()[:2])
    work()
    spent = time.process_time() + sum(server.cpu_times()[:2]) - cpu
    return time.perf_counter() - wall, spent


def _rows() -> int:
    from interviews.models import TranscriptEntry

    return TranscriptEntry.objects.count()


def _exported(table: str, name: str = "csv") -> None:
    from interviews.exports.archive import table_chunks
    from interviews.exports.formats import FORMATS
    from interviews.exports.registry import TABLES
    from interviews.exports.selection import Selection

    for _chunk in table_chunks(TABLES[table], Selection(), FORMATS[name]):
        pass


def _copied() -> None:
    from django.db import connection

    with connection.cursor() as cursor, cursor.copy(COPY) as stream:
        for _chunk in stream:
            pass


def _memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _grown_mb() -> float:
    """How much more memory one further export takes at its peak than all before it."""
    before = _memory_mb()
    _exported("transcripts")
    return _memory_mb() - before


if __name__ == "__main__":
    main()
