"""A model writes on the themes of a study: code checks each statement, and a person the report."""

import json

import pytest
from django.contrib.auth.models import Permission, User
from django.db import IntegrityError, transaction

from interviews.exports.selection import Selection
from interviews.models import Session
from interviews.turns.deletion import delete_sessions
from interviews.turns.withdrawal import withdraw
from llm.models import LLMCall, Spending
from plans.models import Bot, Experiment, Team
from reflections.coding.codebook import CodingRefused
from reflections.evidence.statements import amended_content, statements_of
from reflections.evidence.support import SUPPORT
from reflections.models import Judgement, ReportSource, Review, StudyReport
from reflections.reviews import Opinion, judge, review_of
from reflections.themes import written
from reflections.themes.report_content import cited_statements, report_in
from reflections.themes.written import WRITE, WrittenTheme
from tests.conftest import make_bot
from tests.interviews.exports.reading import csv_rows, export, read
from tests.reflections.telling import told_session
from tests.reflections.test_themes import ALONE, TOGETHER, code, excerpt
from tests.scripted import scripted

pytestmark = pytest.mark.django_db(transaction=True)
State = Judgement.State
SAYS = "Baking belongs to hours without company."
APPS = ("interviews", "reflections")
STREET = "For some, baking is done with the neighbours."


@pytest.fixture(autouse=True)
def model(settings):
    settings.LLM_PROVIDER = "scripted"


@pytest.fixture
def study() -> Bot:
    """Three people bake alone (1 to 3), the third and a fourth together (4 and 5)."""
    bot = make_bot(title="Bread")
    alone = code(bot, "Alone", code(bot, "Baking"))
    for number in range(4):
        answers = [ALONE] if number < 3 else []
        answers += [TOGETHER] if number > 1 else []
        session = told_session(tuple(answers), bot=bot)
        if number < 3:
            excerpt(session, alone, "I bake alone at night")
        if number > 1:
            excerpt(session, alone, "We always bake together", against=True)
    return bot


def says(text: str, supporting: list[int], opposing: list[int] | None = None) -> dict:
    return {"text": text, "supporting": supporting, "opposing": opposing or []}


def verdicts(*words: str) -> str:
    """A reply of the model that checks, with the controls right."""
    given = [*words, "unsupported", "supported"]
    return json.dumps(
        {"verdicts": [{"number": n, "verdict": one} for n, one in enumerate(given, 1)]}
    )


def report(bot: Bot, user, *statements: dict, check: tuple[str, ...] = ()) -> StudyReport:
    scripted.reply(WRITE.name, WrittenTheme.model_validate({"statements": statements}))
    scripted.reply(SUPPORT.name, *check)
    written.request(bot, user)
    row = StudyReport.objects.get()
    written.make(row.pk)
    row.refresh_from_db()
    return row


def said(row: StudyReport) -> list[str]:
    return [one.text for one in report_in(row.content).statements]


def checks(row: StudyReport) -> list[str]:
    return [one.check for one in report_in(row.content).findings]


def figures(row: StudyReport, content: dict | None = None) -> list[str]:
    return [one.people for one in cited_statements(row, content or row.content)]


@pytest.fixture
def made(study, admin_user) -> StudyReport:
    return report(
        study,
        admin_user,
        says(SAYS, [1, 2, 3], [4, 5]),
        says(STREET, [4, 5], [1]),
        check=(verdicts("supported", "supported"), verdicts("unsupported", "unsupported")),
    )


def test_people_are_counted_by_code_on_both_sides(made):
    assert (made.status, made.reason) == ("ready", "")
    assert said(made) == [SAYS, STREET]
    assert figures(made) == [
        "Behind it: 3 of 4 participants; against it: 2.",
        "Behind it: 2 of 4 participants; against it: 1.",
    ]
    [asked] = scripted.asked(WRITE.name)
    told = asked.messages[0].text
    assert (
        "[1] Participant 1, under “Alone”, asked “Where did it begin?”: “I bake alone at night”"
        in told
    )
    assert told.index("[3]") < told.index("<opposing>") < told.index("[4]")
    assert checks(made) == []
    first, second = scripted.asked(SUPPORT.name)  # for, then what is named as against
    assert "asked “Where did it begin?”: “I bake alone at night”" in first.messages[0].text
    assert "asked “And then?”: “We always bake together”" in second.messages[0].text


def test_what_a_lying_model_writes_is_left_out_and_named(study, admin_user):
    row = report(
        study,
        admin_user,
        says("In 2 of 3 homes, baking is lonely.", [1, 2]),
        says("Nobody bakes in this street.", [99]),
        says("They speak of “the joy of yeast” at night.", [1]),
        says("Baking makes them happy.", [1]),
        says(SAYS, [1, 2, 3, 99], [2]),
        check=(verdicts("unsupported", "supported"),),
    )
    assert said(row) == [SAYS]
    assert figures(row) == ["Behind it: 3 of 4 participants; against it: 0."]
    texts = "\n".join(one.text for one in report_in(row.content).findings)
    for why in (
        "figures are counted by a program: “In 2 of 3",
        "no quote that stands in the transcript: “Nobody bakes",
        "none of its excerpts holds: “They speak",
        "does not follow from its quotes: “Baking makes",
        "Numbers that no excerpt of “Baking” has were dropped: 99.",
        "No statement takes up what speaks against “Baking”: 2 excerpts.",
    ):
        assert why in texts


def test_what_is_named_as_opposing_must_oppose(study, admin_user):
    row = report(
        study,
        admin_user,
        says(SAYS, [1], [2]),
        check=(verdicts("supported"), verdicts("supported")),
    )
    assert figures(row) == ["Behind it: 1 of 4 participants; against it: 0."]
    assert "misread" in checks(row)


def test_a_checker_that_calls_everything_supported_has_checked_nothing(study, admin_user):
    everything = json.dumps(
        {"verdicts": [{"number": n, "verdict": "supported"} for n in range(1, 9)]}
    )
    row = report(study, admin_user, says(SAYS, [1], [4]), check=(everything, everything))
    [one] = report_in(row.content).statements
    assert (one.support, one.against) == ("not_checked", (4,))
    assert "not_checked" in checks(row)


def test_where_nothing_stands_there_is_no_report(study, admin_user):
    row = report(study, admin_user, says("All 9 agree.", [1]))
    assert (row.status, row.content) == ("pending", {})  # it is tried again
    assert "Nothing that the model wrote rests" in row.reason
    scripted.clear()
    scripted.reply(WRITE.name, *["no JSON"] * 4)
    StudyReport.objects.update(claimed_until=None)
    written.make(row.pk)
    row.refresh_from_db()
    assert "No model wrote on the themes" in row.reason


def test_without_a_model_or_codes_nothing_is_requested(study, admin_user, settings):
    with pytest.raises(CodingRefused, match="Code passages first"):
        written.request(make_bot(slug="new"), admin_user)
    settings.LLM_PROVIDER = ""
    with pytest.raises(CodingRefused, match="model"):
        written.request(study, admin_user)
    assert not StudyReport.objects.exists()


def test_calls_are_paid_by_the_bot_and_logged_without_words(made):
    calls = LLMCall.objects.all()
    assert {(one.bot, one.response, str(one.request)) for one in calls} == {
        (str(made.bot_id), "", "{}")
    }
    assert calls.count() == 3
    assert not Spending.objects.exclude(account__in=("", str(made.bot_id))).exists()


# -- review


def address(bot: Bot) -> str:
    return f"/admin/interviews/session/findings/{bot.pk}/report/"


def sent(row: StudyReport, do: str, rows: list[dict], **fields) -> dict:
    """What the form sends; each row is a statement as it was shown, with changes."""
    data = {
        "do": do,
        "version": review_of(row).version,
        "comment": "",
        "told-TOTAL_FORMS": len(rows),
        "told-INITIAL_FORMS": len(rows),
    }
    for number, one in enumerate(rows):
        data |= {f"told-{number}-{name}": value for name, value in one.items()}
    return data | fields


def shown(row: StudyReport, number: int, **changes) -> dict:
    one = report_in(row.content).statements[number]
    offered = [{"position": q.position, "text": q.text} for q in one.quotes]
    fields = {"was": number + 1, "offered": json.dumps(offered), "section": "Baking"}
    fields |= {"keep": "on", "text": one.text, "quotes": list(map(str, range(len(offered))))}
    return fields | changes


def test_a_report_is_accepted_reopened_and_rejected_like_a_product(admin_client, made):
    page = admin_client.get(address(made.bot)).text
    assert "Behind it: 3 of 4 participants; against it: 2." in page
    assert page.count("against it</span>") == 3
    for do in ("accepted", "draft", "rejected"):
        data = sent(made, do, [], comment="Thin.")
        assert admin_client.post(address(made.bot), data).status_code == 302
    review = review_of(made)
    assert (review.state, review.version) == ("rejected", 3)
    assert [one.state for one in review.steps.all()] == ["accepted", "draft", "rejected"]
    stale = sent(made, "accepted", [], version=1)
    assert admin_client.post(address(made.bot), stale).status_code == 409
    assert "reviewed it in the meantime" in admin_client.post(address(made.bot), stale).text


def test_an_amended_statement_keeps_its_sides(admin_client, made):
    rows = [
        shown(made, 0, text="Baking is for hours alone.", quotes=["0", "3"]),
        shown(made, 1, more="1 I bake alone at night", quotes=["0"]),
    ]
    assert admin_client.post(address(made.bot), sent(made, "amended", rows)).status_code == 302
    review = review_of(made)
    assert review.state == "amended"
    assert figures(made, review.content) == [
        "Behind it: 1 of 4 participants; against it: 1.",
        "Behind it: 1 of 4 participants; against it: 1.",
    ]
    page = admin_client.get(address(made.bot)).text
    assert "Baking is for hours alone." in page
    assert SAYS in page  # as it was made
    wrong = [shown(made, 0, more="2 nobody ever said so")]
    assert (
        "No answer contains"
        in admin_client.post(address(made.bot), sent(made, "amended", wrong)).text
    )


def test_a_reviewed_report_is_not_written_again(made, admin_user):
    judge(made, Opinion(State.ACCEPTED), "ann", 0)
    with pytest.raises(CodingRefused, match="Reopen it"):
        written.request(made.bot, admin_user)


def test_a_review_is_of_one_product(made):
    with pytest.raises(IntegrityError), transaction.atomic():
        Review.objects.create()
    reflection = made.bot.sessions.first().reflections.create(name="summary")
    with pytest.raises(IntegrityError), transaction.atomic():
        Review.objects.create(reflection=reflection, report=made)


# -- withdrawal


def owner(row: StudyReport, number: int) -> Session:
    return Session.objects.get(pk=report_in(row.content).by_number[number].session)


def test_a_withdrawal_takes_words_out_of_the_report_and_its_review(made, admin_client):
    """The third says both, and is the one behind a statement that a reviewer shortened."""
    rows = [shown(made, 0), shown(made, 1, text="Neighbours bake together.", quotes=["0"])]
    admin_client.post(address(made.bot), sent(made, "amended", rows))
    admin_client.post(address(made.bot), sent(made, "draft", []))
    admin_client.post(address(made.bot), sent(made, "amended", rows))
    session = owner(made, 4)
    assert session == owner(made, 3)
    withdraw(session)
    made.refresh_from_db()
    review = review_of(made)
    versions = [made.content, review.content, *(one.content for one in review.steps.all())]
    for content in versions:
        assert str(session.pk) not in json.dumps(content)
    assert figures(made) == [
        "Behind it: 2 of 3 participants; against it: 1.",
        "Behind it: 1 of 3 participants; against it: 1.",
    ]
    for content in versions[1:2] + [one for one in versions[2:] if one]:
        assert [one.text for one in report_in(content).statements] == [SAYS]
    assert review.version == 4  # who has it open is told
    assert not ReportSource.objects.filter(session=session).exists()


def test_a_statement_that_rests_on_one_interview_goes_with_it(made):
    [section] = statements_of(made, made.content).sections
    amended = amended_content(made.content, [("Baking", one) for one in section.statements])
    judge(made, Opinion(State.AMENDED, "", amended), "ann", 0)
    for number in (4, 5):
        delete_sessions(Session.objects.filter(pk=owner(made, number).pk))
        made.refresh_from_db()
    assert said(made) == [SAYS]
    review = review_of(made)
    assert [one.text for one in report_in(review.content).statements] == [SAYS]
    assert STREET not in json.dumps(review.steps.get().content)
    assert figures(made, review.content) == ["Behind it: 2 of 2 participants; against it: 0."]


def test_what_was_left_out_goes_with_the_first_withdrawal(study, admin_user):
    row = report(study, admin_user, says(SAYS, [1, 2]), says("All 3 of us at night.", [1]))
    assert "All 3 of us" in json.dumps(row.content)
    withdraw(owner(row, 2))
    row.refresh_from_db()
    assert "All 3 of us" not in json.dumps(row.content)
    assert "isn’t shown any more" in json.dumps(row.content, ensure_ascii=False)


def test_a_withdrawal_while_the_report_is_written(study, admin_user, monkeypatch):
    gone = Session.objects.order_by("started_at").first()
    make_content = written._job_type.make

    def slow(row):
        content = make_content(row)
        withdraw(gone)
        return content

    monkeypatch.setitem(written._job_type.__dict__, "make", slow)
    row = report(study, admin_user, says(SAYS, [1, 2]))
    assert row.status == "ready"
    assert str(gone.pk) not in json.dumps(row.content)
    assert figures(row) == ["Behind it: 1 of 3 participants; against it: 0."]


# -- what is published


def test_only_a_reviewed_report_is_exported_and_printed(made, admin_client, admin_user):
    bot = made.bot
    findings_page = f"/admin/interviews/session/findings/{bot.pk}/"
    assert read("findings") == []
    assert SAYS not in admin_client.get(findings_page).text
    judge(made, Opinion(State.ACCEPTED, "Yes."), "ann", 0)
    first, second = read("findings")
    assert (first["theme"], first["number"], first["statement"]) == ("Baking", "1", SAYS)
    assert (first["participants_for"], first["participants_against"]) == ("3", "2")
    assert first["quotes_for"].split("\n") == ["I bake alone at night"] * 3
    assert second["places_for"].split("; ")[1] == f"{owner(made, 5).pk}:3"
    assert (first["review"], first["reviewer"], first["final"]) == ("accepted", "ann", "true")
    assert (first["support"], first["change"], first["made_by"]) == ("supported", "kept", "model")
    part = Selection(sessions=(owner(made, 1).pk,), user=admin_user)
    [only] = csv_rows(export("findings", chosen=part))[:1]
    assert (only["participants_for"], only["participants_against"]) == ("1", "0")
    file = admin_client.get(findings_page, {"file": "html"}).text
    assert f"<strong>{SAYS}</strong> Behind it: 3 of 4 participants; against it: 2." in file
    assert "accepted by ann on" in file
    judge(made, Opinion(State.REJECTED, "No."), "ann", 1)
    assert SAYS not in admin_client.get(findings_page).text


def test_a_team_reads_no_report_on_another_ones_interviews(made, client):
    experiment = Experiment.objects.create(title="Bread", slug="bread")
    other = make_bot(slug="other")
    for bot in (made.bot, other):
        experiment.arms.create(name=bot.slug, bot=bot)
    judge(made, Opinion(State.ACCEPTED), "ann", 0)
    team = Team.objects.create(name="Other")
    team.bots.add(other)
    user = User.objects.create_user("anna", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(content_type__app_label__in=APPS))
    user.teams.add(team)
    client.force_login(user)
    assert client.get(address(other)).status_code == 403
    assert "may not see" in client.get(address(other).removesuffix("report/")).text
    assert csv_rows(export("findings", chosen=Selection(user=user))) == []
    assert client.get(address(made.bot)).status_code == 404
    with pytest.raises(CodingRefused, match="may not see"):
        written.report_of(other, user)


def test_what_no_statement_takes_up_is_printed_too(study, admin_user, admin_client):
    row = report(study, admin_user, says(SAYS, [1]), check=(verdicts("supported"),))
    judge(row, Opinion(State.ACCEPTED), "ann", 0)
    file = admin_client.get(f"/admin/interviews/session/findings/{study.pk}/", {"file": "html"})
    theme = file.text.partition(">Baking</h3>")[2].partition("<h3")[0]
    written_up, _, left = theme.partition("No statement takes up:")
    assert written_up.count("I bake alone at night") == 1
    assert left.count("I bake alone at night") == 2
    assert left.partition("Against it:")[2].count("We always bake together") == 2


def test_a_team_that_may_see_a_part_of_a_report_exports_none_of_it(made):
    ReportSource.objects.create(report=made, session=told_session(bot=make_bot(slug="other")))
    judge(made, Opinion(State.ACCEPTED), "ann", 0)
    team = Team.objects.create(name="Ours")
    team.bots.add(made.bot)
    user = User.objects.create_user("anna")
    user.teams.add(team)
    assert csv_rows(export("findings", chosen=Selection(user=user))) == []
    assert len(read("findings")) == 2
