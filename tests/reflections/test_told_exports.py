"""Tables of what is said in products, how far these are, and how they were reviewed."""

import csv
import io
import json
from datetime import timedelta

import pytest
from django.utils import timezone

from interviews.choices import SessionStatus
from interviews.exports.registry import TABLES
from interviews.exports.selection import Selection
from interviews.models import Session
from plans.jobs import PermanentFailure
from reflections import jobs
from reflections.evidence.statements import amended_content, statements_of
from reflections.models import Judgement, Reflection
from reflections.reviews import Opinion, judge
from tests.interviews.exports.reading import column, export, read
from tests.reflections.held import wished
from tests.reflections.replaced import set_maker
from tests.reflections.telling import ACROSS, BEES, quote, reflected, told_product, told_session

pytestmark = pytest.mark.django_db
State = Judgement.State
OWN = ("reflections", "all_reflections", "products", "reviews")


@pytest.fixture
def row():
    return told_product()


def amend(row, **first) -> None:
    """The first statement with these changes, the second left out, one of the reviewer's own."""
    one, _, third = statements_of(row, row.content).statements
    new = third.model_copy(update={"text": "Mine.", "was": None})
    said = [("", one.model_copy(update=first)), ("", third), ("", new)]
    judge(row, Opinion(State.AMENDED, "Shorter.", amended_content(row.content, said)), "ann", 0)


def test_every_statement_is_a_row(row):
    assert read("reflections") == []
    rows = read("all_reflections")
    assert column(rows, "number") == ["1", "2", "3"]
    assert set(column(rows, "product")) == {"expert:psychologist"}
    assert set(column(rows, "expert")) == {"psychologist"}
    assert rows[0]["statement"] == "Care was learned beside an older woman."
    assert (rows[0]["quotes"], rows[0]["positions"]) == (BEES, "3")
    assert rows[2]["positions"] == "5; 7"
    assert len(rows[2]["quotes"].splitlines()) == 2
    assert set(column(rows, "final")) == {"false"}
    assert set(column(rows, "review")) == {"draft"}
    assert set(column(rows, "made_by")) == {"model"}
    assert set(column(rows, "change")) == {"kept"}
    assert rows[0]["made_at"]


def test_accepted_ones_are_final_and_rejected_ones_are_not(row):
    judge(row, Opinion(State.ACCEPTED, "Yes."), "ann", 0)
    rows = read("reflections")
    assert rows == read("all_reflections")
    assert (rows[0]["final"], rows[0]["reviewer"], rows[0]["comment"]) == ("true", "ann", "Yes.")
    judge(row, Opinion(State.REJECTED, "No."), "ann", 1)
    assert read("reflections") == []
    assert set(column(read("all_reflections"), "review")) == {"rejected"}


def test_amended_ones_have_the_original_beside_them(row):
    amend(row, text="Care was learned.", quotes=())
    first, second, third = read("reflections")
    assert (first["statement"], first["quotes"], first["change"]) == (
        "Care was learned.",
        "",
        "amended",
    )
    assert first["original"] == "Care was learned beside an older woman."
    assert first["original_quotes"] == BEES
    assert (second["number"], second["change"], second["original"]) == ("2", "kept", "")
    assert (third["statement"], third["change"], third["original"]) == ("Mine.", "new", "")
    assert column(read("reflections", "jsonl"), "number") == [1, 2, 3]


def test_sections_and_line_breaks(row):
    row.name, row.content = "facts", reflected(expert=None)
    row.content["sections"][0]["title"] = "Childhood"
    row.content["sections"][0]["statements"][0]["quotes"] = [quote(7, "rooms now.\nThe smell")]
    row.save()
    first = read("all_reflections")[0]
    assert (first["section"], first["product"], first["expert"]) == ("Childhood", "facts", "")
    assert first["quotes"] == "rooms now. The smell"


def test_products_that_say_nothing_in_statements_are_in_their_own_table(row):
    waiting = wished(row.session, "expert:economist")
    Reflection.objects.filter(pk=waiting.pk).update(reason="No model is configured.")
    plain = wished(row.session, "coverage")
    Reflection.objects.filter(pk=plain.pk).update(content={"topics": []}, status="ready")
    assert len(read("all_reflections")) == 3
    rows = read("products")
    assert column(rows, "product") == ["expert:psychologist", "expert:economist", "coverage"]
    assert column(rows, "product_status") == ["ready", "pending", "ready"]
    assert column(rows, "reason") == ["", "No model is configured.", ""]
    assert column(rows, "final") == ["false"] * 3


def test_every_step_of_a_review_is_a_row(row):
    judge(row, Opinion(State.REJECTED, "Too bold."), "ann", 0)
    judge(row, Opinion(State.DRAFT), "ben", 1)
    judge(row, Opinion(State.ACCEPTED, "After all."), "ben", 2)
    rows = read("reviews")
    assert column(rows, "version") == ["1", "2", "3"]
    assert column(rows, "review") == ["rejected", "draft", "accepted"]
    assert column(rows, "reviewer") == ["ann", "ben", "ben"]
    assert column(rows, "comment") == ["Too bold.", "", "After all."]
    assert column(rows, "amended") == ["", "", ""]
    assert all(column(rows, "at"))


def test_rows_follow_their_interviews(row):
    later = told_product(told_session())
    told_product(row.session, name="facts", expert=None)
    order = [(one["session_id"], one["product"]) for one in read("products")]
    first, second = str(row.session_id), str(later.session_id)
    assert order == [
        (first, "expert:psychologist"),
        (first, "facts"),
        (second, "expert:psychologist"),
    ]


@pytest.mark.parametrize("name", OWN)
def test_names_of_participants_stand_in_none(row, name):
    judge(row, Opinion(State.ACCEPTED), "ann", 0)
    assert len(read(name)) >= 1
    assert b"Cassiopeia" not in export(name)
    assert TABLES[name].right == "reflections.view_reflection"


@pytest.mark.parametrize("name", OWN)
def test_nothing_of_a_withdrawn_interview_is_left(row, name):
    judge(row, Opinion(State.ACCEPTED), "ann", 0)
    row.session.status = SessionStatus.WITHDRAWN
    row.session.save()
    assert read(name) == []


def test_no_cell_becomes_a_formula(row):
    formula = '=HYPERLINK("http://example.org")'
    row.content["sections"][0]["statements"][0] = {
        "text": formula,
        "quotes": [quote(3, "+1+cmd|' /C calc'!A0")],
    }
    row.save()
    judge(row, Opinion(State.ACCEPTED, "@SUM(1)"), "-2", 0)
    raw = next(csv.DictReader(io.StringIO(export("reflections").decode(), newline="")))
    for name in ("statement", "quotes", "comment", "reviewer"):
        assert raw[name].startswith("'"), name
    for table in ("reviews", "products"):
        assert "'@SUM(1)" in export(table).decode()
    line = json.loads(export("reflections", "jsonl").decode().splitlines()[0])
    assert line["statement"] == formula


def test_a_quote_that_crosses_another_is_whole_in_its_row(row):
    assert read("all_reflections")[1]["quotes"] == ACROSS


def test_a_product_that_was_given_up_is_a_change(monkeypatch):
    made = wished(told_session(), "summary")
    before = timezone.now()
    Session.objects.update(changed_at=before - timedelta(days=1))
    Reflection.objects.update(created_at=before - timedelta(days=1))

    def fails(session: Session) -> None:
        raise PermanentFailure("No.")

    set_maker(monkeypatch, "summary", fails)
    jobs.make(made.pk)
    [row] = read("products", chosen=Selection(changed_since=before))
    assert (row["product_status"], row["reason"]) == ("failed", "No.")
