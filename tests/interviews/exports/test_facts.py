"""Facts and the backlog as tables."""

import io
import zipfile
from dataclasses import replace
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.exports.archive import archive_chunks
from interviews.exports.formats import FORMATS
from interviews.exports.registry import TABLES, allowed_tables
from interviews.exports.selection import Selection
from interviews.models import Fact, Session
from interviews.protocols.knowledge_transfer import fact_changes as facts
from llm.concurrency.threads import in_database
from tests.factories import SessionFactory, talk
from tests.interviews.exports.reading import column, csv_rows, read, unescape_formula
from tests.interviews.talk import begin
from tests.interviews.transferred import ANSWER, ITEMS, add_fact, state_of, transferred
from tests.queries import counted
from tests.transfers import QUESTIONS, make_transfer_bot

PAGE = "/admin/interviews/session/export/"
FORMULA = '=HYPERLINK("http://example.org","x")'
TOLD = "The rush factor covers two machines that have to be set up anew, since a night costs more."


@pytest.mark.django_db
@pytest.mark.parametrize("form", FORMATS)
def test_one_row_a_fact_in_every_format(form):
    session = transferred(facts=2)
    first, second = session.facts.order_by("pk")
    facts.write(second.pk, FORMULA, facts.version([second]), "ann")
    rows = read("facts", form)
    undone = unescape_formula if form != "jsonl" else str
    assert [undone(row["fact"]) for row in rows] == [first.text, FORMULA]
    assert rows[1]["fact"].startswith("=") == (form == "jsonl")
    assert column(rows, "original") == [first.text, second.original]
    assert [str(row["edited"]).lower() for row in rows] == ["false", "true"]
    assert {str(row["number"]) for row in rows} == {"1", "2"}
    for name, value in {
        "session_id": str(session.pk),
        "question": "rush-factor",
        "question_text": ITEMS[0].text,
        "documents": "prices.xlsx",
        "source": "model",
        "position": "3",
        "confidence": "0.6",
    }.items():
        assert {str(row[name]) for row in rows} == {value}, name
    assert not any(row["merged_into"] for row in rows)


@pytest.mark.django_db
def test_merged_facts_are_exported_and_say_where_they_went():
    session = transferred(facts=1)
    other = transferred(bot=session.bot, facts=1)
    chosen = list(Fact.objects.order_by("pk"))
    facts.merge([f.pk for f in chosen], "For both.", facts.version(chosen), "ann")
    first, second = read("facts")
    assert (first["fact"], first["merged_into"], first["merged_into_session"]) == (
        "For both.",
        "",
        "",
    )
    assert second["session_id"] == str(other.pk)
    assert (second["merged_into"], second["merged_into_session"]) == ("1", str(session.pk))


@pytest.mark.django_db
def test_facts_of_follow_ups_and_discoveries_go_back_to_the_documents():
    session = transferred(facts=0)
    deeper = replace(ITEMS[4], id="followup-2", parent="discovered-1")
    one = replace(ITEMS[1], id="a", parent="b", origin="FOLLOW_UP")
    round_trip = (one, replace(one, id="b", parent="a"))
    session.state = state_of(session, (*ITEMS, deeper, *round_trip))
    session.save()
    asked = ("followup-2", "discovered-1", "safety", "a", "unknown")
    for question in asked:
        add_fact(session, "A fact.", question=question)
    named = dict(zip(asked, column(read("facts"), "documents"), strict=True))
    assert named == {
        "followup-2": "prices.xlsx",
        "discovered-1": "prices.xlsx",
        "safety": "reorder.py",
        "a": "",
        "unknown": "",
    }


@pytest.mark.django_db
@pytest.mark.parametrize("form", FORMATS)
def test_one_row_a_question_of_the_backlog(form):
    session = transferred()
    rows = {row["question"]: row for row in read("backlog", form)}
    assert list(rows) == [item.id for item in ITEMS]
    answered = rows["rush-factor"]
    for name, value in {
        "text": ITEMS[0].text,
        "priority": "P0",
        "origin": "ADMIN",
        "documents": "prices.xlsx",
        "question_status": "ANSWERED_BY_INTERVIEW",
        "round": "1",
        "asked": ITEMS[0].asked,
        "answer": ANSWER,
        "position": "3",
        "confidence": "0.6",
    }.items():
        assert str(answered[name]) == value, name
    answer = session.entries.get(position=3)
    assert str(answered["at"]).replace("T", " ")[:16] == f"{answer.at:%Y-%m-%d %H:%M}"
    for question in ("safety", "recycled"):
        for name in ("round", "position", "at", "confidence", "answer"):
            assert not rows[question][name], (question, name)
    assert rows["followup-1"]["parent"] == rows["discovered-1"]["parent"] == "rush-factor"


@pytest.mark.django_db(transaction=True)
async def test_an_interview_that_was_led():
    talking = await begin(await in_database(make_transfer_bot))
    await talking.say(TOLD)
    rows = await in_database(read, "backlog")
    first = next(row for row in rows if row["question"] == QUESTIONS[0][0])
    assert (first["answer"], first["round"], first["position"]) == (TOLD, "1", "3")
    assert first["at"]
    assert await in_database(read, "facts") == []  # there is no model


@pytest.mark.django_db
def test_other_interviews_and_withdrawn_ones_have_no_rows():
    talk(SessionFactory(), ["one"])
    transferred(status=SessionStatus.WITHDRAWN)
    transferred(preview=True)
    for name in ("facts", "backlog"):
        assert read(name) == []
        assert len(read(name, chosen=Selection(previews=True))) == {"facts": 1, "backlog": 6}[name]


@pytest.mark.django_db
def test_the_number_of_queries_does_not_grow_with_the_interviews():
    bot = transferred(facts=3).bot
    for name in ("facts", "backlog"):
        read(name)
        with counted() as few:
            read(name)
        for _ in range(4):
            transferred(bot=bot, facts=3)
        with counted() as more:
            read(name)
        assert len(more) == len(few), name


@pytest.mark.django_db
def test_they_are_in_the_archive_and_open_to_who_may_export(client):
    transferred()
    everything = [table for table in TABLES.values() if not table.right]
    content = b"".join(archive_chunks(everything, Selection(), FORMATS["csv"]))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert len(csv_rows(archive.read("facts.csv"))) == 1
        assert len(csv_rows(archive.read("backlog.csv"))) == len(ITEMS)
    assert {"facts", "backlog"} <= set(allowed_tables(lambda right: False))
    user = User.objects.create_user("reader", password="x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=["view_session", "view_fact"]))
    client.force_login(user)
    assert client.post(PAGE, {"table": "facts", "format": "csv"}).status_code == 403


@pytest.mark.django_db
@pytest.mark.parametrize("what", ["merge", "unmerge", "restore", "remove"])
def test_whatever_is_done_to_facts_is_a_change(what):
    session = transferred(facts=2)
    rows = list(session.facts.order_by("pk"))
    first = rows[0]
    if what == "unmerge":
        facts.merge([r.pk for r in rows], first.text, facts.version(rows), "ann")
    if what == "restore":
        first = facts.write(first.pk, "Other words.", facts.version([first]), "ann")
    since = timezone.now()
    assert not Selection(changed_since=since).queryset().exists()
    match what:
        case "merge":
            facts.merge([r.pk for r in rows], first.text, facts.version(rows), "ann")
        case "unmerge":
            facts.unmerge(first.pk)
        case "restore":
            facts.restore_original(first.pk, facts.version([first]))
        case "remove":
            facts.remove(Fact.objects.filter(pk=first.pk))
    assert list(Selection(changed_since=since).queryset()) == [session]


@pytest.mark.django_db
def test_a_fact_in_other_words_is_a_change():
    session = transferred(facts=1)
    before = timezone.now()
    Session.objects.update(changed_at=before - timedelta(days=1))
    Fact.objects.update(edited_at=before, edited_by="ann")
    assert list(Selection(changed_since=before).queryset()) == [session]
