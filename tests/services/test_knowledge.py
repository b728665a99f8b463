"""A document whose maker is killed while a model looks into it is made by the next one, once."""

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.fake_provider import FakeProvider
from tests.services import worlds
from tests.services.databases import Database
from tests.services.processes import eventually
from tests.services.worlds import Production

DIVE = {
    "purpose": "Says which press prints what.",
    "decisions": [],
    "formulas": [],
    "thresholds": ["500 sheets, from which the big press is used"],
    "people": [],
    "gaps": ["no reason for the 500 sheets"],
}
WHY = "Why do orders above 500 sheets go to the big press?"
SOURCE = {"document": "notes.txt", "place": "line 1"}
QUESTIONS = {"questions": [{"text": WHY, "priority": "P0", "why": "", "sources": [SOURCE]}]}
BOT = "JOIN plans_bot b ON b.id = r.bot_id WHERE b.slug = 'papers'"
DOCUMENT = f"SELECT r.id, r.status, r.attempts, CAST(r.content AS text) FROM plans_document r {BOT}"
CONTEXT = f"SELECT r.status, CAST(r.content AS text) FROM plans_projectcontext r {BOT}"
BACKLOG = f"SELECT r.text, CAST(r.sources AS text) FROM plans_backlogquestion r {BOT}"
PARTS = "SELECT number FROM plans_documentpart WHERE document_id = ?"
FILES = "SELECT id FROM plans_documentfile WHERE document_id = ?"
WISH = "UPDATE plans_document SET status = 'pending' WHERE id = ?"
TIME_PASSES = (
    "UPDATE plans_document SET claimed_until = now() - interval '1 second' "
    "WHERE id = ? AND status = 'running'"
)


async def test_a_worker_killed_in_mid_dive(production: Production, provider: FakeProvider):
    database = production.database
    await _under_way(database, provider)
    production.worker.kill()
    _is_read_and_no_more(database)

    await asyncio.to_thread(production.worker.start)
    assert database.change(TIME_PASSES, _document(database)[0]) == 1

    await _made_by_the_second(database)


async def test_a_site_of_one_process_killed_in_mid_dive(
    template: Path, tmp_path: Path, provider: FakeProvider
):
    with worlds.embedded(template, tmp_path / "data", **worlds.asking(provider)) as world:
        await _under_way(world.database, provider)
        world.site.kill()
        _is_read_and_no_more(world.database)

        await asyncio.to_thread(world.site.start)

        await _made_by_the_second(world.database)


async def _under_way(database: Database, provider: FakeProvider) -> None:
    """The sweeper finds the document, it is read, and the model falls silent over it."""
    provider.reply("Dive", DIVE, DIVE)  # for who is killed, and for the next one
    provider.reply("ProjectSummary", {"summary": "Two presses."})
    provider.reply("BacklogDraft", QUESTIONS)
    provider.queue("stall:40@Dive")
    pk = _document(database)[0]
    assert database.change(WISH, pk) == 1
    await eventually(lambda: _asked(provider))


async def _asked(provider: FakeProvider) -> bool:
    return any(one.schema == "Dive" for one in provider.requests)


def _is_read_and_no_more(database: Database) -> None:
    pk, status, attempts, content = _document(database)
    assert (status, attempts, json.loads(content)) == ("running", 1, {})
    assert database.rows(PARTS, pk) == [(1,)]
    assert len(database.rows(FILES, pk)) == 1
    assert database.rows(CONTEXT) == []


async def _made_by_the_second(database: Database) -> None:
    """With all that follows: one context, one question, its source, and no file any more."""
    await eventually(lambda: _together(database), 60)
    pk, status, attempts, content = _document(database)
    assert (status, attempts) == ("ready", 2)
    assert json.loads(content)["gaps"] == DIVE["gaps"]
    assert database.rows(PARTS, pk) == [(1,)]
    assert database.rows(FILES, pk) == []
    ((text, sources),) = database.rows(BACKLOG)
    assert text == WHY
    assert json.loads(sources)[0]["text"].startswith("Orders above 500")


async def _together(database: Database) -> bool:
    rows = database.rows(CONTEXT)
    return bool(rows) and rows[0][0] == "ready" and "Two presses." in rows[0][1]


def _document(database: Database) -> tuple[Any, ...]:
    (row,) = database.rows(DOCUMENT)
    return row
