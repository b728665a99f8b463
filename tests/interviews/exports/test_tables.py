"""What each table holds of interviews that were led through the one door."""

import json
import re
from collections import Counter
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from interviews.admin.querysets import annotate_sessions, minutes
from interviews.choices import SessionStatus
from interviews.exports.formats import FORMATS
from interviews.exports.methods import methods_facts, paragraph
from interviews.exports.registry import TABLES, register
from interviews.exports.selection import Selection
from interviews.exports.tables.notes import NOTES
from interviews.models import (
    Assignment,
    Consent,
    ConsentText,
    Invitation,
    Session,
    TranscriptEntry,
    Turn,
)
from interviews.protocols.life_story.tasks import LifeStoryLed
from interviews.turns import actions, store
from llm.concurrency.threads import in_database
from llm.providers import PROVIDERS
from plans.models import Bot, Experiment, Team
from reflections.models import CodebookCode, Excerpt
from tests.conftest import make_bot, make_topic_bot, make_twofold_bot
from tests.factories import (
    AnswerFactory,
    CallFactory,
    EntryFactory,
    NoteFactory,
    SessionFactory,
    TurnFactory,
    ask,
    talk,
)
from tests.interviews.exports.reading import column, export, read, unescape_formula
from tests.interviews.talk import begin, same_again

STORY = (
    "We lived over a bakery in Riga, the five of us in two rooms, and my grandmother told stories "
    "every evening while the ovens below warmed the floor under our feet."
)
ODD = ["=1+1", "\u05e9\u05dc\u05d5\u05dd 👩‍👩‍👧", "e\u0301 <b>x</b>", 'a,b;\n"c"', "x" * 16_000]
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("form", FORMATS)
async def test_the_transcript_equals_what_was_said(bot, form):
    conversation = await begin(bot)
    for text in ODD:
        if (await conversation.session()).is_active:
            await conversation.say(text)
    rows = await in_database(read, "transcripts", form)
    said = [(entry.position, entry.role, entry.text) for entry in await conversation.entries()]
    undone = unescape_formula if form != "jsonl" else str
    assert [(int(r["position"]), r["role"], undone(r["text"] or "")) for r in rows] == said


@pytest.mark.django_db(transaction=True)
async def test_every_question_is_accounted_for(bot):
    conversation = await begin(bot)
    await conversation.say(STORY)
    await conversation.say("", trigger="skip")
    await conversation.say("We moved to the coast.")
    await conversation.say("I want to stop.")
    await conversation.say("No, let us go on.")
    rows = await in_database(read, "answers")
    assert column(rows, "outcome") == ["answered", "declined", "answered", "not_reached"]
    assert column(rows, "question_number") == ["1", "2", "3", "4"]
    assert rows[0]["answer"] == STORY
    assert rows[2]["answer"] == "We moved to the coast."  # not the words about stopping
    assert rows[2]["follow_ups"] == "1"
    assert rows[1]["ended_by"] == "next"
    assert set(column(rows, "section")) == {"life"}


@pytest.mark.django_db(transaction=True)
async def test_questions_that_were_left_out_say_why(bot, settings):
    settings.LLM_PROVIDER = "scripted"
    scripted = PROVIDERS["scripted"]
    conversation = await begin(bot)
    asked = "And what comes to mind about that friend?"
    first = LifeStoryLed(heard="fully q2", met=["q3"])
    scripted.reply("life_story.lead", first, LifeStoryLed(heard="fully last", say=asked))
    await conversation.say("My name is Ann. " + STORY)
    await conversation.say(STORY)
    scripted.clear()
    rows = await in_database(read, "answers")
    assert column(rows, "outcome") == ["answered", "answered", "left_out", "asked"]
    assert column(rows, "left_out_because") == ["", "", "met", ""]
    assert rows[3]["asked_text"] == asked
    assert await same_again(conversation) == ""


@pytest.mark.django_db(transaction=True)
async def test_a_turn_under_way_is_left_out_whole(bot):
    conversation = await begin(bot)
    await conversation.say(STORY)
    before = await in_database(export, "transcripts")
    session = await conversation.session()
    await in_database(_begin_a_turn, session)
    after = await in_database(export, "transcripts")
    assert after.replace(b"ASKING", b"WAITING_ANSWER") == before
    (row,) = await in_database(read, "sessions")
    assert row["answers"] == "1"


@pytest.mark.django_db
def test_answers_of_topics_are_put_together_by_topic():
    session = SessionFactory(bot=make_topic_bot())
    said = (
        ("topic_question", "choosing", "How did you choose?", "Choose what?"),
        ("topic_question", "choosing", "So, which kettle, and why?", "By the price."),
        ("topic_question", "using", "And in the morning?", ""),
        ("topic_question", "choosing", "Who had a say?", "My sister."),
        ("deep_offer", "using", "Shall we go on for a bit?", "Yes."),
        ("consent_request", "", "May we keep your address?", "Yes, you may."),
    )
    asked = TurnFactory(session=session)
    for kind, question, text, answer in said:
        EntryFactory(turn=asked, kind=kind, question=question, text=text)
        reason = "clarification" if answer.endswith("?") else "next"
        asked = TurnFactory(session=session, decision={"reason": reason})
        AnswerFactory(turn=asked, text=answer, kind="user_answer" if answer else "skip")
    rows = read("answers")
    assert column(rows, "question") == ["choosing", "using", "caring"]
    assert column(rows, "outcome") == ["answered", "declined", "not_reached"]
    assert column(rows, "answer") == ["By the price.\n\nMy sister.", "", ""]
    assert (rows[0]["asked_text"], rows[0]["follow_ups"]) == ("How did you choose?", "1")
    assert rows[0]["scripted_text"] == "choosing a kettle"


@pytest.mark.django_db
def test_a_topics_question_that_a_failed_turn_put_again_is_no_follow_up():
    session = SessionFactory(bot=make_topic_bot())
    asked = {"kind": "topic_question", "question": "choosing", "text": "How did you choose?"}
    EntryFactory(turn=TurnFactory(session=session), **asked)
    failed = TurnFactory(session=session, decision={"reason": "turn_failed"})
    AnswerFactory(turn=failed, text="By the price.")
    EntryFactory(turn=failed, **asked)
    first = read("answers")[0]
    assert (first["answer"], first["follow_ups"]) == ("By the price.", "0")


def _begin_a_turn(session: Session) -> None:
    at = actions.timezone.now()
    store.record(session, Turn.Trigger.ANSWER, "half a turn", "half", at)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "params", [{"panelist": "5f"}, {"PROLIFIC_PID": "5f"}, {"Prolific_Id": "5f"}]
)
def test_a_panels_parameter_is_in_its_column_whatever_the_bot_calls_it(params):
    bot = make_bot()
    aliases = ["PROLIFIC_PID", "Prolific_Id"]
    Bot.objects.filter(pk=bot.pk).update(link_params=[{"name": "panelist", "aliases": aliases}])
    SessionFactory(bot=bot, params=params | {"STUDY_ID": "s"})
    (row,) = read("sessions")
    assert (row["prolific_pid"], row["study_id"], row["panel_session_id"]) == ("5f", "s", "")
    Session.objects.update(bot=None)
    (row,) = read("sessions")
    assert row["study_id"] == "s"


@pytest.mark.django_db(transaction=True)
async def test_the_wide_table_counts(bot):
    conversation = await begin(
        bot, params={"PROLIFIC_PID": "5f", "STUDY_ID": "s", "SESSION_ID": "x", "more": "=1"}
    )
    for text in (STORY, "Yes.", "I'd rather not say."):
        await conversation.say(text)
    await conversation.say("", trigger="skip")
    (row,) = await in_database(read, "sessions")
    session = await conversation.session()
    assert row["session_id"] == str(session.pk)
    assert row["status"] == session.status
    assert (row["prolific_pid"], row["study_id"], row["panel_session_id"]) == ("5f", "s", "x")
    assert '"more": "=1"' in row["params"]
    assert (row["answers"], row["skips"], row["turns"]) == ("2", "2", "4")
    assert int(row["questions_asked"]) + int(row["follow_ups"]) == 5 - (
        session.status == SessionStatus.COMPLETED
    )
    assert row["participant_words"] == str(len(STORY.split()) + 1)
    said = [one for one in await in_database(read, "transcripts") if one["role"] == "participant"]
    assert column(said, "intent") == ["answer", "answer", "refuse", ""]
    assert column(said, "care") == ["none", "none", "none", ""]
    assert column(said, "kind") == ["user_answer", "user_answer", "skip", "skip"]
    assert row["median_answer_words"] == "16.0"
    shares = [float(row[f"{s}_share"]) for s in ("model", "fallback_model", "fallback", "rules")]
    assert sum(shares) == pytest.approx(1, abs=0.001)
    assert TIME.fullmatch(row["started_at"])


@pytest.mark.django_db
def test_a_follow_up_that_was_put_in_other_words_counts_once():
    session = talk(SessionFactory(), [])
    for reason, answer, text in (
        ("follow_up", "A bakery.", "What was it like?"),
        ("clarification", "What do you mean?", "In other words, how did it feel?"),
        ("question_back", "Are you an AI?", "In other words, how did it feel?"),
    ):
        turn = TurnFactory(session=session, decision={"reason": reason})
        AnswerFactory(turn=turn, text=answer)
        EntryFactory(turn=turn, text=text, question="q1")
    (counted,), (answered, *_) = read("sessions"), read("answers")
    assert (counted["follow_ups"], answered["follow_ups"]) == ("1", "1")


@pytest.mark.django_db
def test_what_was_written_on_the_start_page_is_exported_and_shown(admin_client):
    told = {"experience": 'Six years, "mostly" 👩‍👩‍👧'}
    session = talk(SessionFactory(start_answers=told), ["one"])
    SessionFactory(bot=session.bot)
    first, second = read("sessions")
    assert json.loads(first["start_answers"]) == told
    assert second["start_answers"] == ""
    page = admin_client.get(f"/admin/interviews/session/{session.pk}/change/").content.decode()
    assert "Six years, &quot;mostly&quot; 👩‍👩‍👧" in page


@pytest.mark.django_db
def test_answers_carry_the_question_that_was_open():
    talk(SessionFactory(), ["one", "two"])
    rows = read("transcripts")
    answers = [row for row in rows if row["role"] == "participant"]
    assert column(answers, "question") == ["q1", "q2"]
    assert column(answers, "question_number") == ["1", "2"]
    assert column(answers, "seconds_since_previous") == ["55.0", "55.0"]
    assert rows[0]["seconds_since_previous"] == ""
    assert column(answers, "source") == ["", ""]
    assert column(rows, "words")[2] == "1"


@pytest.mark.django_db
def test_names_are_in_no_table_but_their_own():
    session = talk(SessionFactory(participant__name="Cassiopeia"), ["one"])
    CallFactory(session=str(session.pk), turn=1)
    NoteFactory(entry=TranscriptEntry.objects.get(kind="user_answer"))
    for name in TABLES:
        assert (b"Cassiopeia" in export(name)) == (name == "contacts"), name
    people = {row["participant"] for name in TABLES for row in read(name)}
    assert len(people) == 1
    assert re.fullmatch(r"P-[A-Z2-7]{12}", people.pop())


@pytest.mark.django_db
def test_a_pseudonym_stays_and_follows_from_the_key(settings):
    session = SessionFactory()
    SessionFactory(bot=session.bot, participant=session.participant)
    first = column(read("sessions"), "participant")
    assert len(set(first)) == 1
    settings.PSEUDONYM_KEY = "another"
    assert set(column(read("sessions"), "participant")).isdisjoint(first)


@pytest.mark.django_db
def test_notes_firings_and_calls():
    session = talk(SessionFactory(), ["I was born in Riga."])
    answer = TranscriptEntry.objects.get(kind="user_answer")
    NoteFactory(entry=answer, key="birth_place", text="Riga")
    firing = {"guard": "bridge", "reason": "not usable", "before": "=So?"}
    Turn.objects.filter(number=1).update(decision={"reason": "next", "firings": [firing]})
    CallFactory(session=str(session.pk), turn=1, cost="0.00012")
    CallFactory(session="", turn=None)
    (note,) = read("notes")
    assert (note["key"], note["note"], note["quote"]) == ("birth_place", "Riga", answer.text)
    (fired,) = read("guard_firings")
    assert (fired["guard"], fired["before"]) == ("bridge", "'=So?")
    assert fired["said"] == TranscriptEntry.objects.get(question="q2").text
    (call,) = read("model_calls")
    assert (call["task"], float(call["cost"]), call["turn"]) == ("life_story.lead", 0.00012, "1")


@pytest.mark.django_db
def test_previews_synthetic_and_withdrawn_interviews():
    real = SessionFactory()
    made = SessionFactory(synthetic=True, bot=real.bot)
    tried = SessionFactory(preview=True, bot=real.bot)
    gone = SessionFactory(status=SessionStatus.WITHDRAWN, participant=None, bot=real.bot)
    AnswerFactory(turn=TurnFactory(session=gone), text="left behind")

    def ids(**chosen) -> set[str]:
        return set(column(read("sessions", chosen=Selection(**chosen)), "session_id"))

    always = {str(real.pk), str(gone.pk)}
    assert ids() == always
    assert ids(synthetic=True) == always | {str(made.pk)}
    assert ids(previews=True) == always | {str(tried.pk)}
    assert b"left behind" not in b"".join(export(name) for name in TABLES)


@pytest.mark.django_db
def test_filters():
    first = SessionFactory(language="en", status=SessionStatus.COMPLETED)
    other = SessionFactory(language="ru", status=SessionStatus.STOPPED)

    def found(**chosen) -> list[str]:
        return column(read("sessions", chosen=Selection(**chosen)), "session_id")

    assert found(bot=first.bot_id) == [str(first.pk)]
    assert found(language="ru") == [str(other.pk)]
    assert found(statuses=("STOPPED",)) == [str(other.pk)]
    assert found(sessions=(other.pk,)) == [str(other.pk)]
    assert found(since=other.started_at) == [str(other.pk)]
    assert found(before=other.started_at) == [str(first.pk)]


@pytest.mark.django_db
def test_many_interviews_come_in_the_order_in_which_they_began():
    first = SessionFactory()
    for _ in range(230):
        talk(SessionFactory(bot=first.bot), ["yes"])
    sessions = read("sessions")
    assert column(sessions, "started_at") == sorted(column(sessions, "started_at"))
    spoken = Counter(column(read("transcripts"), "session_id"))
    assert set(spoken.values()) == {4}
    assert list(spoken) == column(sessions, "session_id")[1:]


@pytest.mark.django_db
def test_a_deleted_bot_is_still_named():
    session = SessionFactory()
    slug = session.bot.slug
    session.bot.delete()
    assert column(read("sessions"), "bot") == [slug]


def test_two_tables_of_one_name_are_refused():
    register(NOTES)
    with pytest.raises(ValueError, match="another table"):
        register(type(NOTES)("notes", "", (), NOTES.rows))


def test_tables_of_protocols_stand_among_the_others():
    assert list(TABLES)[:15] == [
        *("transcripts", "sessions", "answers", "paradata", "notes", "signals", "coverage"),
        *("backlog", "facts", "nodes", "edges", "decisions", "observations"),
        *("guard_firings", "model_calls"),
    ]


@pytest.mark.django_db
def test_consents_are_those_of_the_chosen_interviews():
    session = talk(SessionFactory(language="it"), ["Uno."])
    text = ConsentText.objects.create(digest="d" * 64, language="en", text="Yes?")
    Consent.objects.create(
        bot=session.bot, session=session, text=text, decision="agreed", at=session.started_at
    )
    Consent.objects.create(bot=session.bot, text=text, decision="declined", at=session.started_at)
    assert "recorded 1 time" in paragraph(methods_facts(Selection(language="it")))
    assert [one.decision for one in TABLES["consents"].rows(Selection(language="it"))] == ["agreed"]
    assert [one.decision for one in TABLES["consents"].rows(Selection(language="en"))] == [
        "declined"
    ]


@pytest.mark.django_db
def test_tables_without_interviews_count_all_of_them_in_an_export_of_changes():
    experiment = Experiment.objects.create(title="Bread", slug="bread")
    bot = make_bot(slug="calm")
    arm = experiment.arms.create(name="Calm", bot=bot)
    code = CodebookCode.objects.create(bot=bot, name="Alone", created_by="anna")
    for place in range(3):
        session = talk(SessionFactory(bot=bot), ["Alone at night."])
        Assignment.objects.create(arm=arm, session=session, place=place)
        entry = session.entries.get(role="participant")
        Excerpt.objects.create(
            session=session, entry=entry, code=code, start=0, end=5, created_by="anna"
        )
    before = timezone.now() - timedelta(days=3)
    Session.objects.update(changed_at=before)
    Excerpt.objects.update(created_at=before)
    Session.objects.filter(pk=session.pk).update(changed_at=timezone.now())
    since = Selection(changed_since=before + timedelta(days=1))
    assert since.queryset().count() == 1
    assert [one.interviews for one in TABLES["experiments"].rows(since)] == [3]
    assert [one.interviews for one in TABLES["codes"].rows(since)] == [3]


@pytest.mark.django_db
def test_questions_of_one_key_stand_in_their_own_sections():
    talk(SessionFactory(bot=make_twofold_bot()), ["one", "two", "three", "four"])
    answers = [row for row in read("transcripts") if row["role"] == "participant"]
    assert column(answers, "question") == ["q1", "q2", "q3", "q2"]
    assert column(answers, "section") == ["life", "life", "life", "later"]
    assert column(read("answers"), "answer") == ["one", "two", "three", "four"]


@pytest.mark.django_db
def test_a_question_is_not_left_out_with_another_one_of_its_key():
    session = SessionFactory(bot=make_twofold_bot())
    questions = session.plan.content["material"]["scripts"]["en"]["questions"]
    ask(TurnFactory(session=session, trigger="opening"), 1, questions[0])
    told = {"reason": "next", "details": {"met": {"q2": 2}}}
    turn = TurnFactory(session=session, decision=told)
    AnswerFactory(turn=turn)
    ask(turn, 3, questions[2])
    rows = read("answers")
    assert column(rows, "outcome") == ["answered", "left_out", "asked", "not_reached"]
    assert column(rows, "left_out_because") == ["", "met", "", ""]


@pytest.mark.django_db
def test_a_pause_after_the_last_words_takes_nothing_off_an_interview():
    """Somebody who came back, resumed and left for good has talked as long as before."""
    session = talk(SessionFactory(status="WAITING_ANSWER"), ["one", "two"])
    Session.objects.update(away_total=30)
    (before,) = read("sessions")
    assert before["active_minutes"] == "1.58"  # two minutes and five seconds
    Session.objects.update(away_total=630, away_seconds=600)
    (row,) = read("sessions")
    assert (row["active_minutes"], row["paused_seconds"]) == ("1.58", "630.0")
    (shown,) = annotate_sessions(Session.objects.filter(pk=session.pk), with_names=False)
    assert minutes(shown) == 2


@pytest.mark.django_db
def test_invitation_consent_and_reward_are_those_of_the_interview():
    bot = make_bot()
    text = ConsentText.objects.create(digest="d" * 64, language="en", text="Yes?")
    for status in (SessionStatus.COMPLETED, SessionStatus.STOPPED):
        session = SessionFactory(
            bot=bot,
            status=status,
            invitation=Invitation.objects.create(bot=bot, reference=f"no. {status}"),
            reward={"kind": "fixed", "code": "SECRET", "url": ""},
        )
        at = session.started_at - timedelta(seconds=1)
        Consent.objects.create(bot=bot, session=session, text=text, decision="agreed", at=at)
    rows = read("sessions")
    assert column(rows, "reference") == ["no. COMPLETED", "no. STOPPED"]
    assert column(rows, "reward_for") == ["completed", "stopped"]
    assert all(row["consented_at"] < row["started_at"] for row in rows)
    assert b"SECRET" not in export("sessions")


@pytest.mark.django_db
def test_a_question_that_was_refused_in_words_is_declined():
    session = talk(SessionFactory(), ["That is nobody's business."])
    session.entries.filter(kind="user_answer").update(kind="skip")
    session.turns.filter(number=1).update(decision={"reason": "next"})
    first = read("answers")[0]
    assert (first["outcome"], first["answer"], first["ended_by"]) == ("declined", "", "next")


@pytest.mark.django_db
def test_an_answer_counts_for_one_question_of_its_key():
    talk(SessionFactory(bot=make_twofold_bot()), ["one", "two"])
    assert column(read("answers"), "outcome") == ["answered", "answered", "asked", "not_reached"]


@pytest.mark.django_db
def test_arms_and_refusals_are_those_that_a_team_may_see():
    experiment = Experiment.objects.create(title="Bread", slug="bread")
    text = ConsentText.objects.create(digest="d" * 64, language="en", text="Yes?")
    for slug in ("ours", "theirs"):
        bot = make_bot(slug=slug)
        experiment.arms.create(name=slug, bot=bot)
        Consent.objects.create(bot=bot, text=text, decision="declined", at=timezone.now())
    team = Team.objects.create(name="Ours")
    team.bots.add(Bot.objects.get(slug="ours"))
    user = User.objects.create_user("ann")
    user.teams.add(team)
    for table in ("experiments", "consents"):
        assert column(read(table, chosen=Selection(user=user)), "bot") == ["ours"]
        assert len(read(table)) == 2
