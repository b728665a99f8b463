"""Lead the interviews of recorded/walks.yaml with the demo's bots, and record them as fixtures.

    python -m pytest tests/interviews/record_sessions.py

makes all of them anew, `-k life-story` some. The same code makes the same files, byte for byte, so
that their differences are what a change of the code does to interviews.
"""

import asyncio
import json
import os
import random
import time
import zlib
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import chain, cycle, islice
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from interviews.models import (
    CollectedValue,
    Consent,
    ConsentText,
    Edge,
    Fact,
    Node,
    Note,
    Paradata,
    Participant,
    Rating,
    Session,
    TranscriptEntry,
    Turn,
)
from interviews.recruitment.consent import ConsentChoice
from interviews.turns import actions
from llm.concurrency import threads
from llm.models import LLMCall
from llm.providers import PROVIDERS
from llm.providers.base import Event, ModelRequest
from llm.tasks.yaml_files import read_yaml_file
from plans.demo.loader import load_demo
from plans.models import Bot, Plan
from reflections.models import Reflection
from tests.fake_provider.asked import Asked
from tests.fake_provider.replies import reply
from tests.interviews.recorded_sessions import FOLDER, row_of, write
from tests.interviews.talk import Talk, begin
from tests.scripted import ScriptedProvider

pytestmark = pytest.mark.django_db(transaction=True)
WALKS = read_yaml_file(FOLDER / "walks.yaml")
MOST = 60  # answers, should an interview not end
MONDAY = datetime(2026, 3, 2, 10, tzinfo=UTC)


class Clock:
    """The interview's time: each answer takes as long as it takes to write it."""

    def __init__(self) -> None:
        self.time = MONDAY

    def now(self) -> datetime:
        self.time += timedelta(milliseconds=7)
        return self.time

    def write(self, text: str) -> None:
        self.time += timedelta(seconds=15 + 1.5 * len(text.split()))


class AtOnce(ThreadPoolExecutor):
    """Does all work where it is asked for, so that none of it overtakes another."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done


class MadeUp(ScriptedProvider):
    """A model that gives scripted replies first, then those of the tests' fake provider."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Event, None]:
        if not self._queues[request.task] and request.task not in self._always:
            self.reply(request.task, reply(_asked(request)))
        async for event in super().stream(request):
            yield event


def _asked(request: ModelRequest) -> Asked:
    text = "\n".join(message.text for message in request.messages)
    schema = {**request.shape.schema, "title": request.shape.name} if request.shape else None
    chance = random.Random(zlib.crc32(text.encode()))
    return Asked(schema, request.system, text, request.max_tokens, True, chance)


@pytest.fixture
async def at_once(monkeypatch):
    """Database and rules have no threads of their own."""
    executor = AtOnce()
    monkeypatch.setattr(threads, "_executor", lambda: executor)
    asyncio.get_running_loop().set_default_executor(executor)
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(timezone, "now", clock.now)
    monkeypatch.setattr(time, "time", lambda: clock.time.timestamp())
    return clock


@pytest.fixture
def chance(monkeypatch):
    """What keys and secrets are made of."""
    chance = random.Random()
    monkeypatch.setattr(os, "urandom", chance.randbytes)
    monkeypatch.setattr(random, "_urandom", chance.randbytes)
    return chance


@pytest.mark.parametrize("name", WALKS)
async def test_record(name, at_once, clock, chance, settings, monkeypatch):
    walk = WALKS[name]
    settings.LLM_PROVIDER = "offline" if walk.get("offline") else "scripted"
    monkeypatch.setitem(PROVIDERS, "scripted", _model(walk))
    _count_from_one()
    chance.seed(name)
    bot = _bot(walk)
    consent = ConsentChoice(agreed=True) if walk.get("consent") else None
    talk = await begin(
        bot,
        name=walk.get("name", ""),
        language=walk["language"],
        start_answers=walk.get("given", {}),
        params=walk.get("params", {}),
        consent=consent,
        language_source="choice",
    )
    states = {0: (await talk.session()).state}
    for step in islice(chain(walk["say"], cycle(walk.get("rest", ()))), MOST):
        if not (await talk.session()).is_active:
            break
        last = (await talk.entries())[-1]
        answers = walk.get("answers", {})
        await _do(talk, answers.get(last.question) or answers.get(last.kind) or step, clock)
        session = await talk.session()
        states[session.turn_count] = session.state
    await _rate(talk, walk)
    session = await talk.session()
    assert session.status == walk["ends"], (await talk.entries())[-4:]
    _without_speed()
    _keep(name, session, list(states.values()))


def _count_from_one() -> None:
    """Let keys not tell how many interviews were recorded before."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE sqlite_sequence SET seq = 0")


def _without_speed() -> None:
    """Leave out how fast the machine was, and which of a turn's tasks was done first."""
    for turn in Turn.objects.all():
        turn.readings = dict(sorted(turn.readings.items()))
        turn.first_word_ms, turn.total_ms = turn.first_word_ms and 0, 0
        turn.save()
    calls = sorted(LLMCall.objects.all(), key=_place)
    LLMCall.objects.all().delete()
    for number, call in enumerate(calls, start=1):
        call.pk, call.created_at = number, MONDAY
        call.first_token_ms, call.total_ms = call.first_token_ms and 0, 0
    LLMCall.objects.bulk_create(calls)


def _place(call: LLMCall) -> tuple[Any, ...]:
    return call.turn, call.task, call.outcome, call.input_tokens, call.response


def _model(walk: dict[str, Any]) -> MadeUp:
    model = MadeUp()
    for task, replies in walk.get("replies", {}).items():
        model.reply(task, *map(_text, replies))
    for task, said in walk.get("always", {}).items():
        model.always(task, _text(said))
    return model


def _text(said: Any) -> str:
    return said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)


def _bot(walk: dict[str, Any]) -> Bot:
    load_demo()
    bot = Bot.objects.get(slug=walk["bot"])
    for field, value in walk.get("changes", {}).items():
        setattr(bot, field, value)
    bot.options |= walk.get("options", {})
    bot.save()
    return bot


async def _do(talk: Talk, step: Any, clock: Clock) -> None:
    if isinstance(step, str):
        clock.write(step)
        await talk.say(step)
        return
    clock.write("")
    match step["do"]:
        case "skip":
            await talk.say("", trigger="skip")
        case "stop":
            await actions.end(await talk.session(), "stop-button")
        case "pause":
            await actions.pause(await talk.session())
            clock.time += timedelta(hours=step["hours"])
            await actions.resume(await talk.session())


async def _rate(talk: Talk, walk: dict[str, Any]) -> None:
    if "rating" in walk:
        await actions.rate(await talk.session(), walk["rating"])


def _keep(name: str, session: Session, states: list[Any]) -> None:
    mine = {"session": session}
    found: list[QuerySet[Any]] = [
        Bot.objects.filter(pk=session.bot_id),
        Plan.objects.filter(pk=session.plan_id),
        Participant.objects.filter(pk=session.participant_id),
        Session.objects.filter(pk=session.pk),
        *(model.objects.filter(**mine) for model in (Turn, TranscriptEntry, Note, Fact, Node)),
        *(model.objects.filter(**mine) for model in (Edge, CollectedValue, Rating)),
        Paradata.objects.filter(entry__session=session),
        ConsentText.objects.filter(consents__session=session),
        Consent.objects.filter(**mine),
        LLMCall.objects.filter(session=str(session.pk)),
        Reflection.objects.filter(**mine),
    ]
    rows = {one.model._meta.db_table: [row_of(row) for row in one.order_by("pk")] for one in found}
    write(name, {table: kept for table, kept in rows.items() if kept}, states)
