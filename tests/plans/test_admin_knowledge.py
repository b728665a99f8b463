"""The admin of documents and of what they say together, as people use it."""

import json
import uuid
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from plans.bots.checklist import checklist
from plans.documents import limits
from plans.jobs import Job
from plans.models import Document, ProjectContext
from plans.portability.documents import MOST_SUMMARY
from plans.protocols.knowledge_transfer.analysis import document_job as making
from plans.protocols.knowledge_transfer.analysis.drafts import LONGEST_SUMMARY
from plans.protocols.knowledge_transfer.analysis.requests import write_dive, write_summary
from tests.plans.pages import form_of, text_of
from tests.transfers import make_transfer_bot

DEMO = Path(__file__).parents[2] / "plans/demo/documents"
pytestmark = pytest.mark.usefixtures("read_here")
LIST = "/admin/plans/bot/"
PAGES = ("change", "history", "preview", "versions", "documents", "summary", "backlog")
WRITING = ("import_backlog", "summary_again")


@pytest.fixture
def transfer(db):
    return make_transfer_bot()


@pytest.fixture
def empty(db):
    return make_transfer_bot(documents=False, questions=())


@pytest.fixture
def looker(db) -> Client:
    """May look at everything of studies."""
    return _client("looker", "view_")


def _client(name, *rights) -> Client:
    user = User.objects.create_user(name, is_staff=True)
    of_studies = Permission.objects.filter(content_type__app_label="plans")
    for right in rights:
        user.user_permissions.add(*of_studies.filter(codename__startswith=right))
    client = Client()
    client.force_login(user)
    return client


def url(bot, page="documents"):
    return f"{LIST}{bot.pk}/{page}/"


def document_url(document, page="change"):
    return f"/admin/plans/document/{document.pk}/{page}/"


def file(name="notes.txt", content=b"Rush orders cost 1.35 times as much."):
    return SimpleUploadedFile(name, content)


# -- who may what


@pytest.mark.parametrize("where", [*PAGES, *WRITING, "export_backlog"])
def test_pages_by_role(owner, looker, stranger, transfer, where):
    assert owner.get(url(transfer, where)).status_code == 200
    assert looker.get(url(transfer, where)).status_code == (403 if where in WRITING else 200)
    assert stranger.get(url(transfer, where)).status_code == 403


def test_who_may_only_see_bots_sees_no_documents(reader, transfer):
    assert reader.get(url(transfer)).status_code == 403
    assert reader.get(document_url(transfer.documents.first())).status_code == 403
    assert reader.get(url(transfer, "backlog")).status_code == 200


def test_who_may_look_changes_nothing(looker, transfer):
    document = transfer.documents.first()
    before = document.content
    for where in (
        url(transfer),
        url(transfer, "summary"),
        url(transfer, "backlog"),
        url(transfer, "summary_again"),
        document_url(document),
        document_url(document, "delete"),
        document_url(document, "look_again"),
    ):
        data = {"post": "yes", "files": file(), "summary": "x", "purpose": "x"}
        assert looker.post(where, data).status_code == 403, where
    page = text_of(looker.get(document_url(document)))
    assert 'name="_save"' not in page
    assert "smallest order 48 €" in page
    assert "id_files" not in text_of(looker.get(url(transfer)))
    document.refresh_from_db()
    assert document.content == before
    assert transfer.documents.count() == 2


def test_who_may_add_need_not_be_able_to_remove(transfer):
    adder = _client("adder", "view_", "add_document")

    assert adder.post(url(transfer), {"files": file()}).status_code == 302
    assert transfer.documents.count() == 3
    assert "Remove notes.txt" not in text_of(adder.get(url(transfer)))
    assert adder.post(document_url(transfer.documents.first(), "delete")).status_code == 403


def test_other_kinds_have_nothing_of_it(owner, bot):
    for page in ("documents", "summary", "backlog", "import_backlog", "export_backlog"):
        assert owner.get(url(bot, page)).status_code == 404
    page = text_of(owner.get(url(bot, "change")))
    assert "Import backlog" not in page
    assert url(bot, "documents") not in page


# -- files come in


def test_several_files_at_once_and_each_problem_beside_its_name(owner, empty):
    files = [file(), file("empty.txt", b""), file("tool.exe", b"MZ\x00\x00\x01" * 9), file("b.md")]

    page = text_of(owner.post(url(empty), {"files": files}))

    assert [row.name for row in empty.documents.all()] == ["notes.txt"]
    assert "3 files were rejected" in page
    assert "<b>empty.txt</b>: The file is empty." in page
    assert "<b>tool.exe</b>: This kind of file" in page
    assert "<b>b.md</b>: The same content has already been added, as notes.txt." in page


def test_a_script_gets_one_word_for_each_file(owner, empty):
    headers = {"Accept": "application/json"}

    good = owner.post(url(empty), {"files": file()}, headers=headers)
    bad = owner.post(url(empty), {"files": file("empty.txt", b"")}, headers=headers)

    assert json.loads(good.content) == {"files": [{"name": "notes.txt", "problem": ""}]}
    assert json.loads(bad.content)["files"][0]["problem"] == "The file is empty."


def test_no_file_is_said(owner, empty):
    assert "Choose a file first." in text_of(owner.post(url(empty), {}))


def test_what_is_too_large_is_refused_before_it_is_read(owner, empty, monkeypatch):
    monkeypatch.setattr(limits, "BYTES", 5)
    read = []
    monkeypatch.setattr(
        "plans.protocols.knowledge_transfer.admin.documents.add_file",
        lambda *args: read.append(args),
    )

    page = text_of(owner.post(url(empty), {"files": file()}))

    assert "<b>notes.txt</b>: The file is too large." in page
    assert read == []


def test_a_pasted_text_becomes_a_document(owner, empty, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as handed_out:
        answer = owner.post(url(empty), {"name": "On prices", "text": "Rush is 1.35."}, follow=True)

    assert "Added “On prices.txt”." in text_of(answer)
    assert empty.documents.get().status == Job.Status.PENDING
    assert [call.func for call in handed_out] == [making.JOB.enqueue]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"name": "x", "text": "  \n"}, "Enter some text."),
        ({"name": "x" * 121, "text": "Words."}, "at most 120 characters"),
    ],
)
def test_what_can_not_be_pasted_is_said_and_kept(owner, empty, data, says):
    page = text_of(owner.post(url(empty), data))

    assert says in page
    assert data["name"] in page
    assert not empty.documents.exists()


# -- how far they are


STATES = [
    ({"status": "pending"}, "Waiting", True),
    (
        {"status": "pending", "reason": "The model is silent.", "attempts": 2},
        "It will be retried automatically.",
        True,
    ),
    ({"status": "running", "claim": uuid.uuid4()}, "Being read", True),
    ({"status": "failed", "reason": "The file is damaged."}, "The file is damaged.", False),
    ({"status": "ready", "edited": True}, "Ready, edited", False),
]


@pytest.mark.parametrize(("fields", "says", "busy"), STATES)
def test_how_far_documents_are(owner, looker, transfer, fields, says, busy):
    document = transfer.documents.first()
    Document.objects.filter(pk=document.pk).update(**fields)

    for client in (owner, looker):
        part = text_of(client.get(url(transfer) + "?part=list"))
        assert says in part
        assert ("every 2s" in part) == busy
    ready = 1 if busy or fields["status"] == "failed" else 2
    assert f"{ready} of 2 read" in text_of(owner.get(url(transfer)))
    status = owner.get(document_url(document) + "?part=status")
    assert says in text_of(status)
    assert ("HX-Refresh" in status.headers) == (not busy)
    assert ('name="purpose"' in text_of(owner.get(document_url(document)))) == (not busy)


def test_the_list_escapes_what_a_file_is_called(owner, empty):
    owner.post(url(empty), {"files": file("<img src=x onerror=alert(1)>.txt")})

    page = text_of(owner.get(url(empty)))

    assert "<img src=x" not in page
    assert "&lt;img src=x" in page


# -- one document


def test_a_deep_dive_is_edited_one_item_a_line(owner, transfer):
    document = transfer.documents.get(name="prices.xlsx")
    page = form_of(owner.get(document_url(document)))
    assert page["thresholds"] == ["rush factor 1.35\nsmallest order 48 €"]

    answer = owner.post(document_url(document), page | {"people": "C-014\r\n\r\n C-027 "})

    assert answer.headers["Location"] == url(transfer)
    document.refresh_from_db()
    assert document.content["people"] == ["C-014", "C-027"]
    assert document.content["thresholds"] == ["rush factor 1.35", "smallest order 48 €"]
    assert document.content["points"][0]["text"] == "The rush factor is 1.35."
    assert (document.edited, document.content["made_by"]) == (True, "person")
    assert "Written by hand" in text_of(owner.get(document_url(document)))


def test_saving_a_deep_dive_without_a_change_leaves_it_the_model_s(owner, transfer):
    document = transfer.documents.first()

    owner.post(document_url(document), form_of(owner.get(document_url(document))))

    document.refresh_from_db()
    assert (document.edited, document.content["made_by"]) == (False, "model")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"gaps": "\n".join(map(str, range(21)))}, "There are 21 lines. The maximum is 20."),
        ({"gaps": "short\n" + "x" * 301}, "Line 2 is longer than 300 characters."),
        ({"purpose": "x" * 601}, "at most 600 characters"),
    ],
)
def test_a_deep_dive_that_does_not_fit_is_said(owner, transfer, changes, says):
    document = transfer.documents.first()

    page = owner.post(document_url(document), form_of(owner.get(document_url(document))) | changes)

    assert says in text_of(page)
    document.refresh_from_db()
    assert not document.edited


def test_the_text_of_a_document_comes_in_pages(owner, transfer):
    document = transfer.documents.first()
    for number in range(2, 46):
        document.parts.create(number=number, place=f"line {number}", text=f"Sentence {number}.")

    last = text_of(owner.get(document_url(document) + "?p=3"))

    assert "Page 3 of 3" in last
    assert "Sentence 45." in last
    assert "Sentence 2." not in last


def test_a_document_is_removed_after_a_question(owner, transfer):
    document = transfer.documents.first()
    asked = text_of(owner.get(document_url(document, "delete")))
    assert "Questions that came from the document stay in the backlog" in asked

    answer = owner.post(document_url(document, "delete"), {"post": "yes"})

    assert answer.headers["Location"] == url(transfer)
    assert not Document.objects.filter(pk=document.pk).exists()
    assert transfer.backlog.filter(key="rush-factor").exists()
    assert ProjectContext.objects.get(bot=transfer).status == Job.Status.PENDING


def test_looking_again_is_confirmed_and_keeps_what_is_there(owner, transfer):
    document = transfer.documents.first()
    write_dive(document, {"purpose": "My own words."})
    assert "including your edits" in text_of(owner.get(document_url(document, "look_again")))

    owner.post(document_url(document, "look_again"), {"_form_submitted": "True"})

    document.refresh_from_db()
    assert document.status == Job.Status.PENDING
    assert document.content["purpose"] == "My own words."


def test_documents_are_found_at_their_bot_alone(owner, transfer):
    document = transfer.documents.first()

    assert owner.get("/admin/plans/document/").headers["Location"] == LIST
    assert owner.get("/admin/plans/document/add/").status_code == 403
    history = owner.get(document_url(document, "history"))
    assert history.headers["Location"] == url(transfer, "history")


# -- the summary


def test_a_summary_is_written_and_shown_as_markdown(owner, transfer):
    text = "## Prices\n\n- rush is **1.35**\n\n<script>alert(1)</script> [x](javascript:alert(1))"

    owner.post(url(transfer, "summary"), {"summary": text})

    row = ProjectContext.objects.get(bot=transfer)
    assert (row.content["summary"], row.edited) == (text, True)
    for page in (url(transfer), url(transfer, "summary"), url(transfer, "preview")):
        shown = text_of(owner.get(page))
        assert "<strong>1.35</strong>" in shown
        assert "<script>alert" not in shown
        assert 'href="javascript' not in shown


def test_markdown_fetches_no_pictures(owner, transfer):
    where = url(transfer, "summary") + "?part=preview"

    shown = text_of(owner.post(where, {"summary": "![a](https://example.org/a.png) | *b*"}))

    assert "<img" not in shown
    assert "<em>b</em>" in shown


def test_a_summary_that_is_too_long_is_said(owner, transfer):
    page = owner.post(url(transfer, "summary"), {"summary": "x" * (LONGEST_SUMMARY + 1)})

    assert "at most 12000 characters" in text_of(page)
    assert MOST_SUMMARY == LONGEST_SUMMARY


def test_a_summary_that_was_written_meanwhile_is_not_replaced_unseen(owner, transfer):
    old = form_of(owner.get(url(transfer, "summary")))
    write_summary(transfer, "Theirs.")

    page = owner.post(url(transfer, "summary"), old | {"summary": "Mine."})

    assert "changed since you opened it" in text_of(page)
    assert form_of(page)["summary"] == ["Mine."]
    row = ProjectContext.objects.get(bot=transfer)
    assert row.content["summary"] == "Theirs."
    assert owner.post(url(transfer, "summary"), form_of(page)).status_code == 302
    row.refresh_from_db()
    assert row.content["summary"] == "Mine."


def test_a_first_summary_that_came_meanwhile_is_not_replaced_unseen(owner, empty):
    old = form_of(owner.get(url(empty, "summary")))
    write_summary(empty, "Theirs.")

    page = owner.post(url(empty, "summary"), old | {"summary": "Mine."})

    assert "changed since you opened it" in text_of(page)
    assert ProjectContext.objects.get(bot=empty).content["summary"] == "Theirs."


def test_an_analysis_that_was_written_meanwhile_is_not_replaced_unseen(owner, transfer):
    document = transfer.documents.first()
    old = form_of(owner.get(document_url(document)))
    write_dive(document, {"purpose": "Theirs."})

    page = owner.post(document_url(document), old | {"purpose": "Mine."})

    assert "changed since you opened it" in text_of(page)
    document.refresh_from_db()
    assert document.content["purpose"] == "Theirs."
    assert owner.post(document_url(document), form_of(page)).status_code == 302
    document.refresh_from_db()
    assert document.content["purpose"] == "Mine."


def test_a_summary_says_when_documents_have_changed(owner, transfer):
    write_summary(transfer, "Mine.")
    assert "Up to date with the documents" in text_of(owner.get(url(transfer, "summary")))

    write_dive(transfer.documents.first(), {"purpose": "Another."})

    page = text_of(owner.get(url(transfer, "summary")))
    assert "Documents have changed since" in page
    assert "Not up to date" in text_of(owner.get(url(transfer)))
    assert "not up to date" in text_of(owner.get(url(transfer, "change")))


def test_a_summary_is_made_again_after_a_question(owner, transfer):
    asked = text_of(owner.get(url(transfer, "summary_again")))
    assert "your edits are replaced" in asked

    owner.post(url(transfer, "summary_again"), {"_form_submitted": "True"})

    assert ProjectContext.objects.get(bot=transfer).status == Job.Status.PENDING
    part = owner.get(url(transfer, "summary") + "?part=status")
    assert "In progress" in text_of(part)
    assert "every 2s" in text_of(part)


def test_there_is_nothing_to_sum_up_without_documents(owner, empty):
    sent = {"_form_submitted": "True"}

    page = owner.post(url(empty, "summary_again"), sent, follow=True)

    assert "No document has been read yet." in text_of(page)
    assert not ProjectContext.objects.exists()


# -- the bot's own page


def test_the_bot_s_page_says_how_far_it_is(owner, transfer):
    Document.objects.filter(name="reorder.py").update(status="failed", reason="Damaged.")

    page = " ".join(text_of(owner.get(url(transfer, "change"))).split())

    assert "1 of 2 ready</a>, 1 not read" in page
    assert ">4</a>, plus 1 open point" in page


def open_items(bot):
    return {item.label: item for item in checklist(bot) if not item.done}


def test_a_bot_without_questions_can_not_open(empty):
    item = open_items(empty)["Questions to ask: 0"]

    assert item.needed
    assert "write questions under Backlog" in item.hint
    assert not open_items(empty)["Documents: none"].needed


def test_open_points_alone_are_nothing_to_ask(db):
    bot = make_transfer_bot(questions=[("a", "P2", "Is it so?", "")])

    assert open_items(bot)["Questions to ask: 0"].needed


def test_a_checklist_advises(transfer):
    Document.objects.filter(name="reorder.py").update(status="failed", reason="Damaged.")
    advised = open_items(transfer)

    assert not any(item.needed for label, item in advised.items() if "Texts" not in label)
    assert "At least 5 questions" in advised
    assert "1 couldn't be read." in advised["Every document could be read"].hint
    Document.objects.filter(name="reorder.py").update(status="pending")
    assert "1 is still being read" in open_items(transfer)["Documents ready: 1 of 2"].hint


@pytest.mark.parametrize(
    ("priority", "says"), [("P0", "so 2 of them will never be asked"), ("P1", "stay open points")]
)
def test_more_questions_than_rounds_are_told(db, priority, says):
    questions = [(f"q{n}", priority, f"What about press number {n}?", "") for n in range(7)]
    bot = make_transfer_bot(questions=questions, options={"rounds": 5})

    assert says in open_items(bot)["Rounds for every question: 5"].hint


def test_a_preview_shows_what_the_interviewer_knows(owner, transfer):
    page = text_of(owner.get(url(transfer, "preview")))

    assert page.index("rush factor of 1.35?") < page.index("safety of 1.17") < page.index("48 €?")
    assert page.index("48 €?") < page.index("Open points, never asked") < page.index("nine days")
    assert "price = sheets × price per sheet" in page


def test_the_preview_of_an_empty_bot(owner, empty):
    assert "no questions to ask yet" in text_of(owner.get(url(empty, "preview")))
