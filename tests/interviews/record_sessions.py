"""Lead the interviews of recorded/walks.yaml with the demo's bots, and record them as fixtures.

    python -m pytest tests/interviews/record_sessions.py -k life-story

A recording shows how interviews were stored at its time: record new ones under new names, and leave
the old ones as they are.
"""

import json
import random
import zlib
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from itertools import chain, cycle, islice
from typing import Any

import pytest
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
from llm.concurrency.threads import in_database
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
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(timezone, "now", clock.now)
    return clock


@pytest.mark.parametrize("name", WALKS)
async def test_record(name, clock, settings, monkeypatch):
    walk = WALKS[name]
    settings.LLM_PROVIDER = "offline" if walk.get("offline") else "scripted"
    monkeypatch.setitem(PROVIDERS, "scripted", _model(walk))
    bot = await in_database(_bot, walk)
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
    await in_database(_keep, name, session, list(states.values()))


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
