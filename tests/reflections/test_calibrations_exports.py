"""Calibrations as tables."""

import pytest
from django.contrib.auth.models import Permission, User

from interviews.exports.registry import allowed_tables
from reflections.calibration.types import Mean
from tests.interviews.exports.reading import column, export, read
from tests.reflections.calibrating import SAID, forty_items, told_session
from tests.reflections.test_calibrations_pages import ALIKE, filled_in, ready

pytestmark = pytest.mark.django_db
TABLES = ("calibrations", "calibration_figures")


@pytest.fixture
def session():
    return told_session(participant__name="Cassiopeia")


def test_a_row_for_each_question(session):
    row = ready(session)
    rows = read("calibrations")
    assert len(rows) == 3
    one = rows[0]
    assert (one["calibration"], one["method"], one["seed"]) == (str(row.pk), "held_out", "4")
    assert (one["key"], one["positions"], one["counts"]) == ("q1", "3", "true")
    assert one["replica_answer"] == "<i>replica says</i>"
    scores = [(one[f"{m}_score"], one[f"{m}_likeness"]) for m in ("replica", "notes", "average")]
    assert [tuple(map(float, pair)) for pair in scores] == [(0.5, 0.25), (0, 0), (1, 0.5)]
    assert (one["answer"], one["options"]) == ("", "")


def test_a_row_for_each_item(session):
    item = forty_items()[0].model_copy(update={"text": "=1+1", "again": "no"})
    filled_in(session, item)
    [one] = read("calibrations")
    assert one["text"] == "'=1+1"
    assert (one["options"], one["answer"], one["answer_again"]) == ("yes\nno\nnever", "yes", "no")
    assert (one["replica_answer"], float(one["replica_score"])) == ("yes", 1)
    assert (one["notes_answer"], float(one["notes_score"])) == ("", 0)
    assert one["replica_likeness"] == ""


def test_a_row_for_each_figure(session):
    ready(session)
    filled_in(session, forty_items()[0], ALIKE | {"notes": Mean(n=0)})
    rows = read("calibration_figures")
    found = {(one["method"], one["figure"], one["whose"]): one for one in rows}
    assert len(found) == len(rows) == 3 + 3 + 1 + 1 + 4 * 3
    one = found["held_out", "agreement", "replica"]
    assert [one[name] for name in ("n", "value", "low", "high")] == ["3", "0.5", "0.25", "0.75"]
    assert found["questionnaire", "consistency", "participant"]["value"] == "0.875"
    none = found["questionnaire", "normalised", "notes"]
    assert (none["n"], none["value"]) == ("0", "")


def test_what_is_not_made_has_no_rows(session):
    row = ready(session)
    row.content, row.status = {}, "pending"
    row.save()
    assert [read(name) for name in TABLES] == [[], []]


def test_no_words_that_were_held_out_and_no_names(session):
    other = told_session(["Other words of somebody else."] * 12)
    ready(session, other)
    content = export("calibrations").decode()
    for hidden in (SAID[0], "Other words", "Cassiopeia"):
        assert hidden not in content
    assert set(column(read("calibrations"), "average_answer")) == {""}


def test_a_right_of_its_own(session):
    user = User.objects.create_user("somebody")
    assert not set(TABLES) & set(allowed_tables(user.has_perm))
    user.user_permissions.set(Permission.objects.filter(codename="view_calibration"))
    assert set(TABLES) <= set(allowed_tables(User.objects.get(pk=user.pk).has_perm))
