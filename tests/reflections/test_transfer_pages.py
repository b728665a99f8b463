"""The admin's pages of a handover's products: read, reviewed, downloaded by who has the right."""

import csv
import html
import io
import json
import re
import zipfile

import pytest
from django.urls import reverse

from interviews.models import AccessRecord
from reflections import jobs
from reflections.models import Judgement, Reflection
from reflections.protocols.knowledge_transfer import makers
from reflections.protocols.knowledge_transfer.package import ONBOARDING, Beginning
from reflections.protocols.knowledge_transfer.summary import SUMMARY
from reflections.protocols.knowledge_transfer.types import Narrative, Step, SummaryStatement
from reflections.reviews import Opinion, judge, review_of
from tests.llm.conftest import QUICK
from tests.pages import markup
from tests.people import staff
from tests.queries import counted
from tests.reflections.held import again, wished
from tests.reflections.transferred import ANSWERS, edit, held_transfer, many_facts
from tests.scripted import scripted
from tests.transfers import make_document, make_transfer_bot

pytestmark = pytest.mark.django_db(transaction=True)
HOSTILE = "<script>alert(1)</script> [x](javascript:alert(2)) **b** | c <img src=x onerror=y>"
NAME = "=cmd()|<b>|*x*.xlsx"
SAYS = Narrative(
    decisions=[SummaryStatement(text="The rush factor is 1.35.", facts=[1, 2])],
    risks=[SummaryStatement(text="Holidays go by feel.", facts=[4])],
)
BEGINS = Beginning(
    orientation=SummaryStatement(text="It is about prices.", facts=[1]),
    steps=[Step(text="Ask about holidays.", points=[1])],
)


@pytest.fixture(autouse=True)
def model(settings):
    for name, value in QUICK.items():
        setattr(settings, name, value)
    scripted.always(SUMMARY.name, SAYS)
    scripted.always(ONBOARDING.name, BEGINS)


def made(session) -> dict[str, Reflection]:
    """All three."""
    jobs.make(wished(session, makers.SUMMARY).pk)
    for row in Reflection.objects.filter(session=session):
        jobs.make(row.pk)
    return {row.name: row for row in Reflection.objects.filter(session=session)}


def page_url(row) -> str:
    return reverse("admin:reflections_reflection_change", args=[row.pk])


def file_url(row, form: str = "") -> str:
    address = reverse("admin:reflections_reflection_download", args=[row.pk])
    return f"{address}?as={form}" if form else address


def page(client, row) -> str:
    response = client.get(page_url(row))
    assert response.status_code == 200
    return markup(response)


def article(shown: str) -> str:
    """The product itself, without the admin around it and the answers beside it."""
    return shown.split('<article class="report-main">')[1].split("</article>")[0]


def words(markup: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def send(client, row, do, **fields):
    told = {"do": do, "version": review_of(row).version, "comment": "", **fields}
    return client.post(page_url(row), told)


def test_the_summary_shows_statements_facts_and_answers(admin_client):
    shown = page(admin_client, made(held_transfer())[makers.SUMMARY])
    for one in ("Key decisions and their reasons", "The rush factor is 1.35.", "By feel"):
        assert one in shown
    assert 'href="#fact-2"' in shown
    assert 'id="fact-2"' in shown
    assert 'href="#e5"' in shown
    assert 'id="e5"' in shown
    assert "Written by a model" in shown
    assert "Facts that no statement rests on: 3." in shown


def test_without_a_model_it_shows_questions_and_answers(admin_client, settings):
    settings.LLM_PROVIDER = ""
    rows = made(held_transfer())
    shown = words(article(page(admin_client, rows[makers.SUMMARY])))
    assert "Put together without a model (offline)" in shown
    for _, answer, *_ in ANSWERS:
        assert answer in shown
    package = words(article(page(admin_client, rows[makers.PACKAGE])))
    assert "No summary by topic was written." in package
    assert "Vera agreed to the rush factor." in package


def test_the_package_on_the_page_is_the_one_in_the_zip(admin_client):
    row = made(held_transfer())[makers.PACKAGE]
    document = page(admin_client, row).split('<div class="transfer-document" lang="en">')[1]
    document = words(document.split("</div>")[0])
    files = zip_of(admin_client, row)
    body = files["onboarding.html"].split("<body>")[1]
    assert words(body) == document
    assert "Start here It is about prices. ( 1 )" in document
    assert "Why must the safety of 1.17" in document
    assert files["onboarding.html"] == got(admin_client, row, "html").decode()
    assert files["onboarding.md"] == got(admin_client, row, "markdown").decode()


def zip_of(client, row) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(got(client, row, "zip"))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode("utf-8-sig") for name in archive.namelist()}


def got(client, row, form) -> bytes:
    response = client.get(file_url(row, form))
    assert response.status_code == 200
    assert response["Content-Disposition"].startswith("attachment; filename=")
    return response.content


def test_the_zip_holds_what_it_says(admin_client):
    rows = made(held_transfer())
    files = zip_of(admin_client, rows[makers.PACKAGE])
    assert set(files) == {
        "README.txt",
        "onboarding.html",
        "onboarding.md",
        "documents.csv",
        "facts.jsonl",
    }
    for name in set(files) - {"README.txt"}:
        assert name in files["README.txt"]
    assert "Nobody has reviewed this package yet." in files["README.txt"]
    documents = list(csv.DictReader(io.StringIO(files["documents.csv"])))
    assert [(one["name"], one["kind"]) for one in documents] == [
        ("prices.xlsx", "xlsx"),
        ("reorder.py", "code"),
    ]
    assert documents[0]["purpose"] == "Calculates offers of the print shop."
    context = rows[makers.CONTEXT]
    context.content["rows"] = [dict(reversed(row.items())) for row in context.content["rows"]]
    context.save()  # databases keep no order of keys
    lines = got(admin_client, rows[makers.CONTEXT], "jsonl").decode()
    assert files["facts.jsonl"] == lines
    assert [json.loads(line) for line in lines.splitlines()] == (
        rows[makers.CONTEXT].content["rows"]
    )


def test_the_same_package_gives_the_same_bytes(admin_client):
    row = made(held_transfer())[makers.PACKAGE]
    assert got(admin_client, row, "zip") == got(admin_client, row, "zip")
    judge(row, Opinion(Judgement.State.ACCEPTED), "ann", 0)
    assert "A person has accepted this package." in zip_of(admin_client, row)["README.txt"]


def hostile_session():
    bot = make_transfer_bot(options={"project": HOSTILE})
    make_document(bot, NAME, {"purpose": HOSTILE, "people": [HOSTILE]})
    bot.backlog.filter(key="safety").update(sources=[{"document": NAME, "place": HOSTILE}])
    bot.backlog.update(text=HOSTILE, why=HOSTILE)
    answers = (("safety", HOSTILE, 0.9, (HOSTILE, "# top\n- item")), ("holidays", HOSTILE, 0.3, ()))
    return held_transfer(answers, bot=bot)


@pytest.mark.parametrize("by_rules", [False, True])
def test_words_never_become_markup(admin_client, settings, by_rules):
    said = [SummaryStatement(text=HOSTILE, facts=[1])]
    scripted.always(SUMMARY.name, Narrative(decisions=said, risks=said))
    scripted.always(
        ONBOARDING.name, Beginning(orientation=said[0], steps=[Step(text=HOSTILE, facts=[1])])
    )
    settings.LLM_PROVIDER = "" if by_rules else "scripted"
    rows = made(hostile_session())
    for row in rows.values():
        inner = page(admin_client, row).split('<div class="report" id="report">')[1]
        shown = inner.split("<form")[0] + inner.partition("</form>")[2].split("</main>")[0]
        assert_no_markup(shown)
        assert HOSTILE in html.unescape(shown)
    files = zip_of(admin_client, rows[makers.PACKAGE])
    assert_no_markup(files["onboarding.html"].split("<body>")[1])
    assert "<script" not in files["onboarding.md"]
    assert "[x](" not in files["onboarding.md"]
    cells = list(csv.reader(io.StringIO(files["documents.csv"])))
    assert f"'{NAME}" in {row[0] for row in cells}
    told = [json.loads(line) for line in files["facts.jsonl"].splitlines()]
    assert told[0]["fact"] == HOSTILE
    assert_no_markup(got(admin_client, rows[makers.SUMMARY], "markdown").decode())


def assert_no_markup(markup: str) -> None:
    for hostile in ("<script>alert", "<img", 'href="javascript', "<b>|", "<strong>b<"):
        assert hostile not in markup


def test_words_from_right_to_left(admin_client):
    hebrew = "המקדם הוא 1.35 כי 1.5 היה יקר מדי."
    session = held_transfer((("safety", hebrew, 0.9, (hebrew,)),))
    rows = made(session)
    for row in rows.values():
        assert hebrew in page(admin_client, row)
    told = zip_of(admin_client, rows[makers.PACKAGE])["onboarding.html"]
    assert f'<li dir="auto" id="fact-1"><a href="#fact-1">1</a> {hebrew}' in told


def test_summary_as_markdown(admin_client):
    told = got(admin_client, made(held_transfer())[makers.SUMMARY], "markdown").decode()
    assert told.startswith("# Summary: prices and paper\n\n## Key decisions and their reasons\n\n")
    assert "- The rush factor is 1.35. (1, 2)\n" in told


def test_json_holds_everything(admin_client):
    for row in made(held_transfer()).values():
        told = json.loads(got(admin_client, row, "json"))
        assert told["content"] == row.content
        assert json.loads(admin_client.get(file_url(row)).content) == told


def test_what_there_is_not_can_not_be_downloaded(admin_client):
    rows = made(held_transfer())
    for name, form in ((makers.SUMMARY, "zip"), (makers.PACKAGE, "exe")):
        assert admin_client.get(file_url(rows[name], form)).status_code == 404
    waiting = wished(held_transfer(), makers.PACKAGE)
    assert admin_client.get(file_url(waiting, "zip")).status_code == 404
    assert "Download" not in article(page(admin_client, waiting))


def test_reading_takes_a_right_and_is_recorded(client):
    rows = made(held_transfer())
    client.force_login(staff("view_session"))
    for row in rows.values():
        for form in ("json", "zip", "html", "markdown", "jsonl"):
            response = client.get(file_url(row, form))
            assert response.status_code in (302, 403)
            assert b"rush factor" not in response.content
        assert client.get(page_url(row)).status_code in (302, 403)
    assert not AccessRecord.objects.exists()
    reader = staff("view_reflection")
    client.force_login(reader)
    shown = page(client, rows[makers.SUMMARY])
    [record] = AccessRecord.objects.all()
    assert (record.user, record.session) == (reader, rows[makers.SUMMARY].session_id)
    assert 'id="e3"' not in shown
    assert 'name="do"' not in shown
    assert "Download" not in article(shown)


def test_a_file_takes_the_right_to_export_and_is_on_record_each_time(client):
    row = made(held_transfer())[makers.PACKAGE]
    client.force_login(staff("view_reflection"))
    assert client.get(file_url(row, "zip")).status_code == 403
    client.force_login(staff("view_reflection", "export_session"))
    assert "Download" in article(page(client, row))
    for _ in range(2):
        got(client, row, "zip")
    exported = AccessRecord.objects.filter(what__startswith="Exported", session=row.session_id)
    assert {one.what for one in exported} == {"Exported onboarding_package as zip, 1 interviews."}
    assert exported.count() == 2


def test_a_summary_is_amended_line_by_line(admin_client):
    rows = made(held_transfer())
    row = rows[makers.SUMMARY]
    assert "The rush factor is 1.35. [1, 2]" in page(admin_client, row)
    lines = "In my words [2, 1, 2]\n\nWithout a fact.\nIt became 7 [3]"
    response = send(admin_client, row, "amended", **{"summary-rules": lines})
    assert response.status_code == 302
    amended = review_of(row).content
    assert amended["sections"][1]["statements"] == [
        {"text": "In my words", "facts": [2, 1]},
        {"text": "Without a fact.", "facts": []},
        {"text": "It became 7", "facts": [3]},
    ]
    assert amended["sections"][0]["statements"] == []
    assert [one["check"] for one in amended["findings"]] == ["other_figure", "unused_facts"]
    assert row.content["sections"][0]["statements"]
    assert "In my words" in page(admin_client, row)
    assert "In my words" in got(admin_client, row, "markdown").decode()
    shown = page(admin_client, rows[makers.PACKAGE])
    assert "The summary was changed or reviewed after this was generated." in shown
    assert send(admin_client, rows[makers.PACKAGE], "again").status_code == 302
    jobs.make(rows[makers.PACKAGE].pk)
    assert "In my words" in page(admin_client, rows[makers.PACKAGE])


@pytest.mark.parametrize(
    ("lines", "said"),
    [("Of a fact [77, 1]", "There is no fact 77."), ("  ", "Write at least one statement.")],
)
def test_what_can_not_stand_is_not_stored(admin_client, lines, said):
    row = made(held_transfer())[makers.SUMMARY]
    response = send(admin_client, row, "amended", **{"summary-rules": lines})
    assert response.status_code == 200
    told = response.content.decode()
    assert said in told
    assert lines in told
    assert review_of(row).state == "draft"


def test_the_others_are_accepted_or_rejected_but_not_amended(admin_client):
    rows = made(held_transfer())
    for name in (makers.PACKAGE, makers.CONTEXT):
        row = rows[name]
        assert "edit the facts or amend the summary" in page(admin_client, row)
        refused = send(admin_client, row, "amended")
        assert refused.status_code == 409
        assert "not amended" in refused.content.decode()
        assert send(admin_client, row, "accepted").status_code == 302
        assert review_of(row).state == "accepted"


def test_what_is_out_of_date_says_so_and_is_made_again(admin_client):
    session = held_transfer()
    rows = made(session)
    edit(session.facts.get(number=1), "Quite another thing.")
    for row in rows.values():
        assert "Facts were changed after this was generated." in page(admin_client, row)
    assert send(admin_client, rows[makers.SUMMARY], "again").status_code == 302
    jobs.make(rows[makers.SUMMARY].pk)
    for name in (makers.PACKAGE, makers.CONTEXT):
        shown = page(admin_client, again(rows[name]))
        assert "Waiting." in shown
        assert "The previous version is below." in shown
        jobs.make(rows[name].pk)
    for row in rows.values():
        assert "were changed after" not in page(admin_client, row)
    assert "Quite another thing." in page(admin_client, rows[makers.PACKAGE])


def test_a_removed_fact_makes_it_out_of_date(admin_client):
    session = held_transfer()
    rows = made(session)
    session.facts.get(number=2).delete()
    for row in rows.values():
        assert "Facts were changed after this was generated." in page(admin_client, row)


def test_a_failure_says_why_and_can_be_run_again(admin_client, monkeypatch):
    row = wished(held_transfer(), makers.PACKAGE)
    Reflection.objects.filter(pk=row.pk).update(status="failed", reason="RuntimeError: poison")
    shown = page(admin_client, row)
    assert "RuntimeError: poison" in shown
    assert "Generate now" in shown
    assert "Written by a program." in shown
    assert send(admin_client, row, "again").status_code == 302
    assert again(row).status == "pending"


def test_the_interviews_page_leads_to_all_three(admin_client):
    session = held_transfer()
    rows = made(session)
    shown = admin_client.get(reverse("admin:interviews_session_change", args=[session.pk]))
    for row in rows.values():
        assert page_url(row) in shown.content.decode()
    assert "Q&amp;A context" in shown.content.decode()
    listed = admin_client.get(reverse("admin:reflections_reflection_changelist"))
    assert "Q&amp;A context" in listed.content.decode()


def test_a_page_of_three_hundred_facts_asks_as_much_as_one_of_three(admin_client):
    few, many = made(held_transfer()), made(held_transfer(many_facts(300)))
    for name in (makers.SUMMARY, makers.PACKAGE, makers.CONTEXT):
        page(admin_client, few[name])
        with counted() as asked_few:
            page(admin_client, few[name])
        page(admin_client, many[name])
        with counted() as asked_many:
            page(admin_client, many[name])
        assert len(asked_many) == len(asked_few)
