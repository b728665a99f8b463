"""Calibrations in the admin: asked for after a look, read by who may, with a plot for everybody."""

import re

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from interviews.choices import SessionStatus
from interviews.models import AccessRecord
from reflections.admin.calibration_plot import compared_part, in_words, part_of
from reflections.calibration import calibrations, descriptions
from reflections.calibration.types import (
    MAKERS,
    CandidateAnswer,
    ChosenOption,
    HeldOutQuestion,
    HeldOutResult,
    ItemResult,
    Mean,
    QuestionnaireItem,
    QuestionnaireResult,
)
from reflections.models import Calibration
from tests.pages import markup
from tests.people import somebody
from tests.reflections.calibrating import (
    SAID,
    forty_items,
    make_expert,
    make_script_bot,
    told_session,
)
from tests.reflections.held import again

pytestmark = pytest.mark.django_db
CSV = "item,text,options,answer,answer_again\na,<b>How far?</b>,1-7,5,6\nb,Which?,tea;milk,tea,\n"
ALIKE = {
    "replica": Mean(n=3, value=0.5, low=0.25, high=0.75),
    "notes": Mean(n=3, value=0.0, low=0.0, high=0.0),
    "average": Mean(n=3, value=1.0, low=1.0, high=1.0),
}


@pytest.fixture(autouse=True)
def no_model(settings, db):
    settings.LLM_PROVIDER = "offline"
    make_expert()


@pytest.fixture
def session():
    return told_session(participant__name="Cassiopeia")


def ready(session, other=None, **changes) -> Calibration:
    """A calibration by questions, as it is stored."""
    given = {
        "replica": CandidateAnswer(
            answer="<i>replica says</i>", agreement=0.5, likeness=0.25, why="REASON"
        ),
        "notes": CandidateAnswer(answer="notes say", agreement=0.0, likeness=0.0, why="none of it"),
        "average": CandidateAnswer(answer="most say", agreement=1.0, likeness=0.5),
    }
    if other:
        given["average"] = CandidateAnswer(
            session=str(other.pk), positions=(3,), agreement=1.0, likeness=0.5
        )
    held = HeldOutQuestion(
        key="q1",
        section="Home",
        text="Where <u>from</u>?",
        positions=(3,),
        given=given,
        baseline="others" if other else "typical",
        others=3 if other else 0,
    )
    made = HeldOutResult(
        language="en",
        seed=4,
        calls=20,
        answered=12,
        questions=(held,) * 3,
        agreement=ALIKE,
        likeness=ALIKE,
        lead={"notes": Mean(n=3, value=0.5, low=0.25, high=0.75)},
        **changes,
    )
    return Calibration.objects.create(
        session=session,
        method="held_out",
        status="ready",
        options={"share": 0.2, "seed": 4},
        created_by="ann",
        content=made.model_dump(mode="json"),
    )


def filled_in(session, item: QuestionnaireItem, normalised=ALIKE) -> Calibration:
    """One by questionnaire."""
    chosen = dict.fromkeys(MAKERS, ChosenOption(option="yes")) | {"notes": ChosenOption()}
    made = QuestionnaireResult(
        language="en",
        seed=1,
        items=(ItemResult(item=item, chosen=chosen),),
        accuracy=ALIKE,
        closeness=dict.fromkeys(MAKERS, Mean(n=0)),
        consistency=Mean(n=40, value=0.875),
        twice=ALIKE,
        normalised=normalised,
    )
    return Calibration.objects.create(
        session=session,
        method="questionnaire",
        status="ready",
        options={"items": []},
        content=made.model_dump(mode="json"),
    )


def page(row) -> str:
    return reverse("admin:reflections_calibration_change", args=[row.pk])


def new(session=None) -> str:
    url = reverse("admin:reflections_calibration_add")
    return f"{url}?session={session.pk}" if session else url


def text(response, status=200) -> str:
    assert response.status_code == status
    return markup(response)


# -- reading


class TestReading:
    def test_figures_plot_and_words(self, admin_client, session):
        shown = text(admin_client.get(page(ready(session))))
        assert "<b>0.50</b>" in shown
        assert "95 % interval 0.25 to 0.75, over 3 questions" in shown
        for line in (
            "Notes and reflections were generated again from the rest",
            "Models make errors when they judge.",
            "It doesn’t predict what they would say or do on another day.",
            *("as “a typical person”", "Fewer than ten questions"),
        ):
            assert line in shown
        assert 'x1="25.00%" x2="75.00%"' in shown
        assert shown.count('class="plot-row plot-tall"') == 3
        assert "Cassiopeia" in shown

    def test_the_plot_stands_as_a_table_too(self, admin_client, session):
        shown = text(admin_client.get(page(ready(session))))
        table = re.search(r"<table>.*?</table>", shown, re.S)[0]
        assert "0.50 (0.25 to 0.75)" in table
        assert "Replica: 0.5; Notes only: 0; Without knowing them: 1" in table
        parts = re.findall(r'<section class="plot-part"[^>]*>', shown)
        assert parts
        assert all('aria-hidden="true"' in part for part in parts)

    def test_question_by_question(self, admin_client, session):
        shown = text(admin_client.get(page(ready(session))))
        assert SAID[0] in shown
        for expected in ("&lt;i&gt;replica says", "REASON", "Where &lt;u&gt;from", "most say"):
            assert expected in shown
        assert "<i>replica says" not in shown

    def test_what_was_said_takes_a_right_of_its_own(self, client, session):
        other = told_session(["Other words of somebody else."] * 12)
        row = ready(session, other)
        user = somebody(client)
        assert client.get(page(row)).status_code == 403
        user.user_permissions.set(Permission.objects.filter(codename="view_calibration"))
        shown = text(client.get(page(row)))
        assert "0.50" in shown
        for hidden in (SAID[0], "Other words", "REASON", "Cassiopeia"):
            assert hidden not in shown
        user.user_permissions.add(*Permission.objects.filter(codename="view_session"))
        shown = text(client.get(page(row)))
        for seen in (SAID[0], "Other words of somebody else.", "REASON"):
            assert seen in shown

    def test_the_others_words_go_with_their_interview(self, admin_client, session):
        other = told_session(["Other words of somebody else."] * 12)
        row = ready(session, other)
        other.delete()
        shown = text(admin_client.get(page(row)))
        assert "Other words" not in shown
        assert "This interview no longer exists." in shown

    def test_a_questionnaire(self, admin_client, session):
        item = forty_items()[0].model_copy(update={"text": "<b>Tea</b>?"})
        shown = text(admin_client.get(page(filled_in(session, item))))
        assert "Accuracy of the replica" in shown
        assert "&lt;b&gt;Tea&lt;/b&gt;?" in shown
        assert "0.88" in shown
        assert "none of them" in shown
        assert "Closeness, on ranges" not in shown
        assert descriptions.OVER_ONE not in shown
        over = ALIKE | {"replica": Mean(n=2, value=1.4, low=0.9, high=1.6)}
        shown = text(admin_client.get(page(filled_in(session, item, over))))
        assert "1.40 (0.90 to 1.60)" in shown
        assert descriptions.OVER_ONE in shown

    def test_the_participants_answers_are_withheld(self, client, session):
        item = QuestionnaireItem(key="a", text="T", options=("SECRETLY", "yes"), answer="SECRETLY")
        row = filled_in(session, item)
        somebody(client, "view_calibration")
        shown = text(client.get(page(row)))
        assert "SECRETLY" not in shown
        assert "same: " not in shown

    def test_it_is_on_record(self, admin_client, session):
        admin_client.get(page(ready(session)))
        assert AccessRecord.objects.filter(what="Read a calibration.").count() == 1

    def test_while_it_waits_it_is_asked_for_again(self, admin_client, session):
        row = Calibration.objects.create(session=session, method="held_out", options={})
        assert 'hx-trigger="every 4s' in text(admin_client.get(page(row)))
        Calibration.objects.update(status="failed", reason="Nobody <b>answered</b>.")
        shown = text(admin_client.get(page(row)))
        assert 'hx-trigger="every' not in shown
        assert "Nobody &lt;b&gt;answered" in shown
        assert admin_client.post(page(row), {"do": "again"}).status_code == 302
        assert (again(row).status, row.reason) == ("pending", "")

    def test_trying_again_takes_a_right(self, client, session):
        row = Calibration.objects.create(session=session, method="held_out", status="failed")
        somebody(client, "view_calibration")
        assert "Try again" not in text(client.get(page(row)))
        assert client.post(page(row), {"do": "again"}).status_code == 403
        assert again(row).status == "failed"

    def test_the_list(self, admin_client, session):
        row, other = ready(session), ready(told_session())
        url = reverse("admin:reflections_calibration_changelist")
        shown = text(admin_client.get(url))
        assert page(row) in shown
        assert "0.50 (0.25 to 0.75), n = 3" in shown
        shown = text(admin_client.get(url, {"session__id__exact": session.pk}))
        assert page(row) in shown
        assert page(other) not in shown

    def test_from_an_empty_list_to_the_form_of_that_interview(self, admin_client, session):
        url = reverse("admin:reflections_calibration_changelist")
        shown = text(admin_client.get(url, {"session__id__exact": session.pk}))
        ways = re.findall(rf'href="({new()}[^"]*)"', shown)
        assert len(ways) == 2
        for way in ways:
            assert "With a questionnaire" in text(admin_client.get(way.replace("&amp;", "&")))

    def test_nobody_deletes_a_figure_that_does_not_please(self, admin_client, session):
        url = reverse("admin:reflections_calibration_delete", args=[ready(session).pk])
        assert admin_client.post(url, {"post": "yes"}).status_code == 403


# -- asking


class TestAsking:
    def held(self, client, session, do="look", **changes):
        sent = {"method": "held_out", "held-share": "0.2", "held-seed": "4", "do": do}
        return client.post(new(session), sent | changes)

    def items(self, client, session, do="look", content=CSV, **changes):
        sent = {"method": "questionnaire", "items-text": content, "items-seed": "1", "do": do}
        return client.post(new(session), sent | changes)

    def test_a_look_before_anything_happens(self, admin_client, session):
        shown = text(self.held(admin_client, session))
        assert "<b>3</b> of 12 questions" in shown
        assert "<b>20</b> model calls" in shown
        assert "No model is configured. The calibration will wait" in shown
        assert not Calibration.objects.exists()

    def test_then_it_begins_once(self, admin_client, session):
        for _ in range(2):
            response = self.held(admin_client, session, "start")
            assert response.url == page(Calibration.objects.get())
        row = Calibration.objects.get()
        assert (row.method, row.created_by) == ("held_out", "admin")
        assert row.options == {"share": 0.2, "seed": 4}
        calibrations.make(row.pk)
        assert again(row).reason == "No model is configured."
        assert "No model is configured." in text(admin_client.get(page(row)))

    def test_a_questionnaire_as_text_or_file(self, admin_client, session):
        shown = text(self.items(admin_client, session))
        assert "<b>2</b> items" in shown
        assert "<b>1</b> on a range" in shown
        assert "<b>1</b> answered twice" in shown
        assert "&lt;b&gt;How far?&lt;/b&gt;" in shown
        file = SimpleUploadedFile("items.csv", b"\xef\xbb\xbf" + CSV.encode())
        shown = text(self.items(admin_client, session, content="", **{"items-file": file}))
        carried = re.search(r'<textarea name="items-text" hidden>\n(.*?)</textarea>', shown, re.S)[
            1
        ]
        assert carried.startswith("item,text,options")
        self.items(admin_client, session, "start")
        row = Calibration.objects.get()
        assert [one["key"] for one in row.options["items"]] == ["a", "b"]

    def test_what_is_wrong_is_said_and_nothing_is_lost(self, admin_client, session):
        broken = "item,text,options,answer\na,T,1-7,9\n,U,x;y,x\n"
        for do in ("look", "start"):
            shown = text(self.items(admin_client, session, do, broken), 400)
            assert "line 2, answer: “9” is not one of the options" in shown
            assert "line 3, item: is empty" in shown
            assert "a,T,1-7,9" in shown
        assert "Choose a file or paste its text." in text(
            self.items(admin_client, session, content=""), 400
        )
        assert text(self.held(admin_client, session, **{"held-share": "3"}), 400)
        assert text(self.held(admin_client, session, **{"held-seed": "-1"}), 400)
        assert not Calibration.objects.exists()

    def test_too_few_answers(self, admin_client):
        shown = text(self.held(admin_client, told_session(SAID[:3])), 400)
        assert "Questions with a real answer: 3." in shown

    def test_of_which_interview(self, admin_client, session):
        running = told_session(status=SessionStatus.PAUSED)
        simulated, tried = told_session(synthetic=True), told_session(preview=True)
        for url in (new(), new(running), new() + "?session=nonsense"):
            shown = text(admin_client.get(url))
            assert "Choose an interview." in shown
            assert f"?session={session.pk}" in shown
            for other in (running, simulated, tried):
                assert f"?session={other.pk}" not in shown
                assert f"?bot={other.bot_id}" not in shown
        kept = f"{new()}?_changelist_filters=session__id__exact%3D{session.pk}"
        assert "With a questionnaire" in text(admin_client.get(kept))

    def test_rights(self, client, session):
        user = somebody(client, "view_calibration")
        assert client.get(new(session)).status_code == 403
        assert self.held(client, session, "start").status_code == 403
        user.user_permissions.add(Permission.objects.get(codename="add_calibration"))
        assert "Cassiopeia" not in text(client.get(new(session)))
        assert "Choose an interview first" in text(client.get(new()))
        assert self.held(client, session, "start").status_code == 302

    def test_an_interview_without_a_script_says_so(self, admin_client):
        bot = make_script_bot(3)
        shown = text(self.held(admin_client, told_session(SAID[:3], bot=bot)), 400)
        assert "At least 6 are needed" in shown


# -- the plot


class TestPlot:
    def test_places_are_shares_of_the_width(self):
        part = compared_part("A", ALIKE)
        [mark] = part.strips[0].marks
        assert (mark.x, mark.low, mark.high) == ("50.00%", "25.00%", "75.00%")
        assert part.ticks == (("0.00%", "0"), ("50.00%", "0.5"), ("100.00%", "1"))

    def test_the_scale_grows_over_one(self):
        part = part_of("A", [("replica", "R", Mean(n=2, value=1.2, low=0.4, high=1.8))])
        assert [words for _, words in part.ticks] == ["0", "0.5", "1", "1.5", "2"]
        assert part.strips[0].marks[0].x == "60.00%"

    def test_nothing_is_nothing(self):
        [strip] = part_of("A", [("replica", "R", Mean(n=0))]).strips
        assert (strip.marks, strip.figure) == ((), "none")
        assert in_words(Mean(n=1, value=0.5)) == "0.50"
