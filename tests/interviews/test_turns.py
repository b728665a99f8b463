"""The one door: recorded once, answered once, in order, whoever asks and however often."""

import asyncio
from contextvars import ContextVar
from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError
from django.utils import timezone

from interviews import validation
from interviews.choices import SessionStatus
from interviews.engine import pipeline
from interviews.exports.selection import Selection
from interviews.models import Session, TranscriptEntry, Turn
from interviews.turns import actions, session_start, store, turn_runner
from interviews.turns.replay import first_difference
from interviews.turns.session_start import StartRequest
from interviews.turns.store import lease
from llm.concurrency.threads import in_database
from llm.tasks.call_context import Budget
from llm.tasks.outcome import Outcome
from plans.models import Bot, Plan, Question
from tests.conftest import make_bot
from tests.interviews.exports.reading import read
from tests.interviews.talk import Talk, begin
from tests.queries import counted

pytestmark = pytest.mark.django_db(transaction=True)
STORY = (
    "We lived over a bakery in Riga, the five of us in two rooms, and my grandmother told stories "
    "every evening while the ovens below warmed the floor under our feet."
)


async def test_a_whole_interview_ends_by_itself_with_every_question(bot):
    talk = await begin(bot)
    for _ in range(20):
        if not (await talk.session()).is_active:
            break
        await talk.say(STORY)
    session = await talk.session()
    assert session.status == SessionStatus.COMPLETED
    kinds = [entry.kind for entry in await talk.entries()]
    assert kinds.count("scripted_question") == 4
    assert kinds[0] == "intro"
    assert kinds[-1] == "outro"
    assert [entry.position for entry in await talk.entries()] == list(range(1, len(kinds) + 1))


async def test_twenty_parallel_posts_are_one_turn(bot):
    talk = await begin(bot)
    sessions = [await talk.session() for _ in range(20)]  # each request reads its own
    sent = [actions.receive(session, STORY, "same") for session in sessions]
    ids = set(await asyncio.gather(*sent))
    assert len(ids) == 1
    await actions.finished(ids.pop())
    answers = [e for e in await talk.entries() if e.role == "participant"]
    assert [a.text for a in answers] == [STORY]


async def test_different_answers_at_once_one_is_taken_the_others_are_refused(bot):
    talk = await begin(bot)
    session = await talk.session()
    shown = session.length
    sent = [actions.receive(session, f"{STORY} {i}", f"m{i}", answering=shown) for i in range(10)]
    results = await asyncio.gather(*sent, return_exceptions=True)
    [taken] = [r for r in results if isinstance(r, int)]
    refused = [r for r in results if isinstance(r, validation.RequestRefused)]
    assert len(refused) == 9
    assert {r.code for r in refused} <= {"busy", "outdated"}
    await actions.finished(taken)
    answers = [e for e in await talk.entries() if e.role == "participant"]
    assert len(answers) == 1


async def test_an_old_message_id_gives_the_old_turn(bot):
    talk = await begin(bot)
    session = await talk.session()
    first = await actions.receive(session, STORY, "one")
    await actions.finished(first)
    again = await actions.receive(await talk.session(), "something else", "one")
    assert again == first
    assert len([e for e in await talk.entries() if e.role == "participant"]) == 1


async def test_a_stale_page_is_told_so(bot):
    talk = await begin(bot)
    shown = (await talk.session()).length
    await talk.say(STORY)
    with pytest.raises(validation.RequestRefused) as refused:
        await actions.receive(await talk.session(), "late", "late", answering=shown)
    assert refused.value.code == "outdated"
    assert refused.value.status == 409


async def test_nothing_is_taken_after_the_end(bot):
    talk = await begin(bot)
    await actions.end(await talk.session(), "bye")
    with pytest.raises(validation.RequestRefused) as refused:
        await talk.say(STORY)
    assert refused.value.code == "ended"


@pytest.mark.parametrize(("length", "code"), [(16_000, ""), (16_001, "too_long")])
async def test_the_longest_answer(bot, length, code):
    talk = await begin(bot)
    if not code:
        await talk.say("x" * length)
        return
    with pytest.raises(validation.RequestRefused) as refused:
        await talk.say("x" * length)
    assert refused.value.code == code
    assert (await talk.session()).status == SessionStatus.WAITING_ANSWER


async def test_a_new_start_puts_the_earlier_session_aside(bot):
    first = await begin(bot)
    person = (await first.session()).participant
    second = await actions.start(StartRequest(bot.slug, "Ann"), participant=person)
    assert (await first.session()).status == SessionStatus.ARCHIVED
    assert (await actions.fresh(second.session_id)).status == SessionStatus.WAITING_ANSWER


async def test_parallel_starts_leave_one_active_session(bot):
    person = (await (await begin(bot)).session()).participant
    starts = [actions.start(StartRequest(bot.slug, "Ann"), participant=person) for _ in range(6)]
    await asyncio.gather(*starts, return_exceptions=True)
    active = await in_database(
        Session.objects.filter(participant=person, status=SessionStatus.WAITING_ANSWER).count
    )
    assert active == 1


async def test_a_start_that_another_window_was_faster_with_is_tried_again(bot, monkeypatch):
    create, tried = session_start._create, []

    def second(*given):
        tried.append(given)
        if len(tried) == 1:
            raise IntegrityError("one_active_session_per_participant_and_bot")
        return create(*given)

    monkeypatch.setattr(session_start, "_create", second)
    assert (await (await begin(bot)).session()).status == SessionStatus.WAITING_ANSWER
    assert len(tried) == 2


async def test_a_page_is_begun_before_the_first_question_is_worded(bot, monkeypatch):
    until = asyncio.Event()
    _hold_opening(monkeypatch, until)
    started = await actions.start(StartRequest(bot.slug, "Ann"), waits=False)
    assert started.snapshot.asking
    assert [entry.kind for entry in started.snapshot.entries] == ["intro"]
    until.set()
    opening = await Turn.objects.aget(session=started.session_id)
    assert await actions.finished(opening.pk)
    assert (await actions.fresh(started.session_id)).status == SessionStatus.WAITING_ANSWER


async def test_an_opening_whose_process_died_is_asked_once_by_the_next_contact(bot, monkeypatch):
    monkeypatch.setattr(actions, "_launch", lambda claimed: None)
    started = await actions.start(StartRequest(bot.slug, "Ann"), waits=False)
    monkeypatch.undo()
    expired = timezone.now() - timedelta(seconds=1)
    await Turn.objects.filter(session=started.session_id).aupdate(lease_until=expired)
    actions.recover(await actions.fresh(started.session_id))
    opening = await Turn.objects.aget(session=started.session_id)
    assert await actions.finished(opening.pk)
    kinds = [entry.kind for entry in await Talk(started.session_id).entries()]
    assert kinds == ["intro", "scripted_question"]


async def test_a_start_form_that_is_sent_twice_begins_one_interview(bot):
    pressed = [actions.start(StartRequest(bot.slug, "Ann", key="k"), waits=False) for _ in "ab"]
    first, second = await asyncio.gather(*pressed)
    assert first.session_id == second.session_id
    assert first.cookie != second.cookie
    talk = Talk(first.session_id)
    assert await actions.finished((await talk.turns())[0].pk)
    assert [entry.kind for entry in await talk.entries()] == ["intro", "scripted_question"]
    await talk.say(STORY)
    anew = await actions.start(StartRequest(bot.slug, "Ann", key="k"))
    assert anew.session_id != first.session_id


def _hold_opening(monkeypatch, until: asyncio.Event):
    run = pipeline.run

    async def held(*given):
        await until.wait()
        return await run(*given)

    monkeypatch.setattr(pipeline, "run", held)


async def test_pause_keeps_the_place_and_an_answer_goes_on(bot):
    talk = await begin(bot)
    await actions.pause(await talk.session())
    session = await talk.session()
    assert session.status == SessionStatus.PAUSED
    await in_database(_paused_since, session, timedelta(days=3))
    await talk.say(STORY)
    session = await talk.session()
    assert session.status == SessionStatus.WAITING_ANSWER
    assert session.away_total > 3 * 86_000
    last = (await talk.turns())[-1]
    assert last.away_seconds > 3 * 86_000


async def test_time_away_stays_uncounted_if_a_question_back_comes_first(bot):
    talk = await begin(bot)
    await talk.say("What do you mean by that?")
    started = (await talk.session()).state["clock_started_at"]
    await actions.pause(await talk.session())
    await in_database(_paused_since, await talk.session(), timedelta(days=3))
    await talk.say("What do you mean by that?")
    state = (await talk.session()).state
    assert state["clarified"] == 2
    moved = datetime.fromisoformat(state["clock_started_at"]) - datetime.fromisoformat(started)
    assert moved > timedelta(days=2)


def _paused_since(session, ago):
    Session.objects.filter(pk=session.pk).update(paused_at=timezone.now() - ago)


async def test_a_pause_asked_for_while_the_interviewer_speaks_begins_afterwards(bot, monkeypatch):
    talk = await begin(bot)
    gate_open = asyncio.Event()
    _hold_models(monkeypatch, gate_open)
    turn = await actions.receive(await talk.session(), STORY, "m")
    await actions.pause(await talk.session())
    assert (await talk.session()).status == SessionStatus.ASKING
    gate_open.set()
    await actions.finished(turn)
    assert (await talk.session()).status == SessionStatus.PAUSED
    await actions.resume(await talk.session())
    assert (await talk.session()).status == SessionStatus.WAITING_ANSWER


def _hold_models(monkeypatch, until: asyncio.Event):
    async def ask(task, data, subject, on_partial=None):
        await until.wait()
        return Outcome(task.fallback(data), "fallback", "held")

    monkeypatch.setattr("interviews.turns.turn_runner.gateway.ask", ask)


async def test_end_hears_a_running_turn_out(bot, monkeypatch):
    talk = await begin(bot)
    gate_open = asyncio.Event()
    _hold_models(monkeypatch, gate_open)
    await actions.receive(await talk.session(), STORY, "m")
    ending = asyncio.ensure_future(actions.end(await talk.session(), "bye"))
    await asyncio.sleep(0.05)
    gate_open.set()
    await ending
    assert (await talk.session()).status == SessionStatus.STOPPED
    assert [e.kind for e in await talk.entries()][-1] == "outro"


async def test_what_is_begun_anew_while_the_interviewer_speaks_stays_put_aside(bot, monkeypatch):
    talk = await begin(bot)
    gate_open = asyncio.Event()
    _hold_models(monkeypatch, gate_open)
    turn = await actions.receive(await talk.session(), STORY, "m")
    person = (await talk.session()).participant
    anew = await actions.start(StartRequest(bot.slug, "Ann"), participant=person)
    gate_open.set()
    assert await actions.finished(turn)
    assert (await talk.session()).status == SessionStatus.ARCHIVED
    assert [e.text for e in await talk.entries()][-1] == STORY
    assert (await actions.fresh(anew.session_id)).status == SessionStatus.WAITING_ANSWER


async def test_what_was_answered_before_a_new_start_is_a_change_once_its_turn_is_done(bot):
    session = await (await begin(bot)).session()
    args = (session, Turn.Trigger.ANSWER, STORY, "m", timezone.now())
    claimed = await in_database(store.record, *args)
    await actions.start(StartRequest(bot.slug, "Ann"), participant=session.participant)
    before = timezone.now()
    await turn_runner.run(claimed)  # late, as after its process died
    rows = await in_database(read, "transcripts", chosen=Selection(changed_since=before))
    assert [row["text"] for row in rows][-1] == STORY


async def test_an_orphaned_turn_is_taken_up_once(bot):
    talk = await begin(bot)
    session = await talk.session()
    await in_database(_orphan, session)
    found = await asyncio.gather(*(actions.sweep() for _ in range(5)))
    assert sum(found) == 1
    entries = await talk.entries()
    assert len([e for e in entries if e.role == "interviewer"]) == 3
    assert (await talk.turns())[-1].attempts == 2


def _orphan(session):
    from interviews.turns import store

    claimed = store.record(session, Turn.Trigger.ANSWER, STORY, "m", timezone.now())
    past = timezone.now() - timedelta(seconds=1)
    Turn.objects.filter(pk=claimed.turn.pk).update(lease_until=past)


async def test_a_living_lease_is_left_alone(bot):
    talk = await begin(bot)
    session = await talk.session()
    from interviews.turns import store

    await in_database(store.record, session, Turn.Trigger.ANSWER, STORY, "m", timezone.now())
    assert await actions.sweep() == 0
    assert await actions.sweep(at_once=True) == 1


async def test_of_those_who_find_the_same_turn_one_gets_it(bot):
    talk = await begin(bot)
    await in_database(_orphan, await talk.session())

    def claims() -> list[bool]:
        seen = [Turn.objects.select_related("session").get(message_id="m") for _ in range(3)]
        first, second = lease._claim(seen[0]), lease._claim(seen[1])
        Turn.objects.update(status=Turn.Status.DONE)  # by the first, in the meantime
        return [found is not None for found in (first, second, lease._claim(seen[2]))]

    assert await in_database(claims) == [True, False, False]


async def test_a_turn_sees_nothing_of_the_request_that_began_it(bot, monkeypatch):
    """Else each would get a database thread of its own, and the request's language."""
    of_request, seen = ContextVar("of_request", default="nothing"), []

    async def ask(task, data, subject, on_partial=None):
        seen.append(of_request.get())
        return Outcome(task.fallback(data), "fallback", "tried")

    monkeypatch.setattr("interviews.turns.turn_runner.gateway.ask", ask)
    talk = await begin(bot)
    of_request.set("a cookie")
    await talk.say(STORY)
    assert set(seen) == {"nothing"}


async def test_who_lost_the_lease_commits_nothing(bot):
    from interviews.turns import store

    talk = await begin(bot)
    session = await talk.session()
    claimed = await in_database(
        store.record, session, Turn.Trigger.ANSWER, STORY, "m", timezone.now()
    )
    await in_database(store.reclaim, None, True)
    from interviews.turns.turn_runner import run

    await run(claimed)
    assert [e.role for e in await talk.entries()][-1] == "participant"


@pytest.mark.parametrize(
    ("answer", "reason", "kind", "failing"),
    [
        (STORY, "turn_failed", "scripted_question", ["run"]),
        ("I want to kill myself.", "distress", "care", ["run"]),
        ("I want to kill myself.", "turn_failed", "scripted_question", ["run", "replay"]),
    ],
)
async def test_a_turn_that_always_fails_repeats_the_question_or_shows_the_care_text(
    bot, monkeypatch, answer, reason, kind, failing
):
    talk = await begin(bot)

    def broken(*args, **kwargs):
        raise RuntimeError("a mistake of ours")

    with monkeypatch.context() as patched:
        for name in failing:
            patched.setattr(f"interviews.turns.turn_runner.pipeline.{name}", broken)
        turn = await actions.receive(await talk.session(), answer, "m")
        for _ in range(6):
            await asyncio.sleep(0.05)
            await actions.sweep()
    assert await actions.finished(turn, 2)
    last = (await talk.turns())[-1]
    assert last.decision["reason"] == reason
    assert (await talk.entries())[-1].kind == kind
    session = await talk.session()
    assert (session.status, session.flagged) == (SessionStatus.WAITING_ANSWER, reason == "distress")
    assert await in_database(first_difference, session) == ""


async def test_after_an_opening_that_always_fails_no_question_comes_twice(bot, monkeypatch):
    def broken(*args, **kwargs):
        raise RuntimeError("a mistake of ours")

    with monkeypatch.context() as patched:
        patched.setattr("interviews.turns.turn_runner.pipeline.run", broken)
        beginning = asyncio.create_task(begin(bot))
        while not beginning.done():
            await asyncio.sleep(0.05)
            await actions.sweep()
    talk = await beginning
    await talk.say("", trigger="skip")
    asked = [one.number for one in await talk.entries() if one.kind == "scripted_question"]
    assert asked == [1, 2]


@pytest.mark.parametrize(("died", "asks"), [(1, True), (2, False)])
async def test_a_turn_in_which_processes_die_again_and_again_asks_no_model(
    bot, monkeypatch, died, asks
):
    talk, reasons = await begin(bot), []
    await in_database(_orphan, await talk.session())
    await in_database(Turn.objects.filter(message_id="m").update, attempts=died)

    async def ask(task, data, context, on_partial=None):
        reasons.append(context.disabled_reason)
        return Outcome(task.fallback(data), "fallback", "tried")

    monkeypatch.setattr("interviews.turns.turn_runner.gateway.ask", ask)
    assert await actions.sweep() == 1
    assert {not reason for reason in reasons} == {asks}


async def test_what_a_turn_that_failed_has_cost_is_charged(bot, monkeypatch):
    talk, settled = await begin(bot), []

    async def broken(*args, **kwargs):
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr(turn_runner, "budget_for_turn", lambda session: Budget(owed=Decimal(2)))
    monkeypatch.setattr(turn_runner, "settle", lambda budget: settled.append(budget.owed))
    monkeypatch.setattr(turn_runner.pipeline, "run", broken)
    await actions.receive(await talk.session(), STORY, "m")
    async with asyncio.timeout(10):
        while not settled:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    assert settled == [2]


async def test_an_edited_script_leaves_the_running_interview_alone(bot):
    talk = await begin(bot)
    await talk.say(STORY)
    await in_database(lambda: Question.objects.update(text="Changed?"))
    assert "Changed" not in await talk.say(STORY)
    other = await begin(bot)
    assert "Changed?" in [e.text for e in await other.entries()]
    assert await in_database(Plan.objects.filter(bot=bot).count) == 2


async def test_a_closed_bot_lets_running_interviews_finish_and_begins_none(bot):
    talk = await begin(bot)
    await talk.say(STORY)
    await in_database(lambda: Bot.objects.update(status="closed"))
    assert "?" in await talk.say(STORY)
    with pytest.raises(validation.RequestRefused) as refused:
        await begin(bot)
    assert refused.value.code == "not_open"


async def test_a_deleted_bot_ends_politely_and_keeps_what_was_said(bot):
    talk = await begin(bot)
    await talk.say(STORY)
    await in_database(bot.delete)
    reply = await talk.say(STORY)
    assert "?" not in reply
    assert (await talk.session()).status == SessionStatus.STOPPED
    assert len([e for e in await talk.entries() if e.role == "participant"]) == 2


async def test_notes_link_to_the_entry_that_they_come_from(bot):
    talk = await begin(bot)
    await talk.say("I was born in Riga in 1951, over a bakery, and I have three children by now.")
    notes = await in_database(
        lambda: [(n.key, n.text, n.entry.position) for n in (Session.objects.get().notes.all())]
    )
    assert ("birth_year", "1951", 3) in notes


async def test_words_and_marks_are_kept_as_sent(bot):
    talk = await begin(bot)
    sent = "שלום \u200dعربي 👩‍👩‍👧 e\u0301 <b>no</b> \u0000\u0007end\r\nnew line"
    await talk.say(sent)
    answer = next(e for e in await talk.entries() if e.role == "participant")
    assert answer.text == "שלום \u200dعربي 👩‍👩‍👧 \u00e9 <b>no</b>   end\nnew line"


async def test_queries_of_a_turn_are_few_and_do_not_grow(bot):
    counts = []
    long_bot = await in_database(make_bot, 30)
    talk = await begin(long_bot)
    for number in range(12):
        counts.append(await _queries_of(talk, f"{STORY} {number}"))
    assert max(counts[2:]) <= 12, counts
    assert counts[-1] <= counts[2] + 1


async def _queries_of(talk, text) -> int:
    """Queries of one answer, from the gate to the commit."""
    session = await actions.fresh(talk.session_id)
    talk.count += 1
    with counted() as seen:
        turn = await actions.receive(session, text, f"m{talk.count}")
        task = actions._tasks.get(turn)
        if task:
            await task
        return len(seen)


async def test_after_work_is_wished_for_once(bot):
    from reflections.models import Reflection

    talk = await begin(bot)
    await talk.say(STORY)
    await actions.end(await talk.session(), "bye")
    assert await in_database(Reflection.objects.filter(name="summary").count) == 1


async def test_nothing_is_made_of_an_interview_without_answers(bot):
    from reflections.models import Reflection

    talk = await begin(bot)
    await actions.end(await talk.session(), "bye")
    assert await in_database(Reflection.objects.count) == 0


async def test_one_reply_per_answer_is_held_by_the_database(bot):
    talk = await begin(bot)
    await talk.say(STORY)
    entry = (await talk.entries())[-1]

    def twice():
        entry.pk = None
        entry.position += 1
        entry._state.adding = True
        entry.save()

    with pytest.raises(IntegrityError):
        await in_database(twice)
    assert await in_database(TranscriptEntry.objects.count) == 4


@pytest.mark.parametrize("waiting_for_reply", [False, True])
async def test_the_other_window_is_told_that_the_interview_was_begun_anew(bot, waiting_for_reply):
    talk = await begin(bot)
    client = talk.browser()
    if waiting_for_reply:
        await in_database(
            store.record, await talk.session(), Turn.Trigger.ANSWER, "Riga.", "m", timezone.now()
        )
    shown = await talk.session()  # what the first window shows
    await actions.start(StartRequest(bot.slug, "Ann"), participant=shown.participant)
    assert (await talk.session()).status == SessionStatus.ARCHIVED
    poll = await client.get(
        f"/s/{talk.session_id}/state/?sequence={shown.sequence}", headers={"HX-Request": "true"}
    )
    assert poll.status_code == 200
    assert 'data-phase="over"' in poll.content.decode()
    assert "Go to the new interview" in poll.content.decode()
