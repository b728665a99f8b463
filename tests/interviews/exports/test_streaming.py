"""Exports run in constant memory, as of one moment, and in nobody's way."""

import asyncio
import threading
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress

import pytest
from django.db import DatabaseError, connection, connections, transaction

from interviews.exports import archive, responses
from interviews.exports.columns import Column, Table, Type
from interviews.exports.database_cursor import one_snapshot
from interviews.exports.formats import FORMATS
from interviews.exports.registry import TABLES
from interviews.exports.selection import Selection
from interviews.models import Session, TranscriptEntry
from llm.concurrency.threads import in_database
from tests.factories import SessionFactory, talk

ROWS = 15_000
MEGABYTE = 1_000_000


def many(chosen: Selection, rows: int = ROWS) -> Iterator[int]:
    return iter(range(rows))


LONG: Table[int] = Table(
    "long",
    "For tests.",
    (
        Column("number", Type.INTEGER, "", int),
        Column("text", Type.STRING, "", lambda number: f"{number} " * 70),
    ),
    many,
)


@pytest.mark.parametrize("form", FORMATS)
def test_writing_many_rows_takes_little_memory(form):
    tracemalloc.start()
    try:
        size = sum(len(chunk) for chunk in FORMATS[form].write(LONG, many(Selection()), False))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert size > (0.25 if form == "xlsx" else 4.5) * MEGABYTE
    assert peak < 3 * MEGABYTE


@pytest.mark.django_db
def test_reading_many_rows_takes_little_memory():
    session = talk(SessionFactory(), ["one"])
    turn = session.turns.get(number=1)
    TranscriptEntry.objects.bulk_create(
        [
            TranscriptEntry(
                session=session,
                turn=turn,
                slot=slot,
                position=slot,
                at=turn.spoken_at,
                role="interviewer",
                kind="follow_up",
                text=f"{slot} " * 120,
            )
            for slot in range(10, 10_010)
        ],
        batch_size=2000,
    )
    tracemalloc.start()
    try:
        chunks = archive.table_chunks(TABLES["transcripts"], Selection(), FORMATS["csv"])
        size = sum(len(chunk) for chunk in chunks)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert size > 6 * MEGABYTE
    assert peak < 6 * MEGABYTE


@pytest.mark.django_db(transaction=True)
def test_an_export_is_as_of_one_moment_and_others_can_write():
    first = talk(SessionFactory(), ["one"])
    chunks = TABLES["sessions"].rows(Selection())
    with one_snapshot():
        begun = Session.objects.count()
        _in_another_thread(lambda: talk(SessionFactory(bot=first.bot), ["late"]))
        assert Session.objects.count() == begun
        assert len(list(chunks)) == begun
    assert Session.objects.count() == begun + 1
    assert not connection.in_atomic_block


@pytest.mark.django_db(transaction=True)
def test_nothing_written_in_a_snapshot_stays():
    """PostgreSQL refuses it, SQLite forgets it."""
    talk(SessionFactory(), ["one"])
    with suppress(DatabaseError), one_snapshot():
        Session.objects.update(language="xx")
    assert not Session.objects.filter(language="xx").exists()


@pytest.mark.django_db(transaction=True)
def test_the_connection_is_free_again_when_an_export_is_given_up():
    talk(SessionFactory(), ["one"])
    chunks = archive.table_chunks(TABLES["transcripts"], Selection(), FORMATS["csv"])
    assert next(chunks)
    chunks.close()
    with transaction.atomic():
        assert Session.objects.update(language="it") == 1


@pytest.mark.django_db(transaction=True)
async def test_under_asgi_pieces_come_one_by_one_from_one_thread():
    await in_database(_three_talks)
    seen: list[tuple[int, bool]] = []

    def chunks() -> Iterator[bytes]:
        for chunk in archive.table_chunks(TABLES["transcripts"], Selection(), FORMATS["csv"]):
            seen.append((threading.get_ident(), connection.connection is not None))
            yield chunk

    content = [chunk async for chunk in responses.read_in_thread(chunks())]
    assert b"".join(content).count(b"\r\n") == 1 + 12
    assert len({thread for thread, _ in seen}) == 1
    assert threading.get_ident() not in {thread for thread, _ in seen}


async def test_a_reader_who_leaves_ends_the_export():
    ended = threading.Event()

    def chunks() -> Iterator[bytes]:
        try:
            while True:
                yield b"more"
        finally:
            ended.set()

    stream = responses.read_in_thread(chunks())
    assert await anext(stream) == b"more"
    await stream.aclose()
    assert await asyncio.to_thread(ended.wait, 5)


def _three_talks() -> None:
    bot = talk(SessionFactory(), ["one"]).bot
    for _ in range(2):
        talk(SessionFactory(bot=bot), ["one"])


def _in_another_thread(work) -> None:
    def run() -> None:
        try:
            work()
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(30)
    assert not thread.is_alive()
