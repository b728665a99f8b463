"""What people write is theirs: it is kept, also while something is being made."""

import uuid

import pytest

from llm.providers.base import Fault, ProviderError
from plans.jobs import Job
from plans.models import BacklogQuestion, Document, DocumentFile, DocumentPart, ProjectContext
from plans.protocols.knowledge_transfer.analysis import context_job, deep_dive, document_job
from plans.protocols.knowledge_transfer.analysis.drafts import ProjectSummary
from plans.protocols.knowledge_transfer.analysis.requests import (
    DocumentNotRead,
    add_file,
    remove_document,
    request_new_context,
    request_new_dive,
    write_dive,
    write_summary,
)
from plans.protocols.knowledge_transfer.analysis.statements import LONGEST_ITEM, MOST_ITEMS
from plans.protocols.knowledge_transfer.analysis.status import Progress, is_stale, progress
from plans.protocols.knowledge_transfer.content import dive_of
from tests.plans.knowledge.handing_over import (
    DIVE,
    NOTES,
    QUESTIONS,
    SUMMARY,
    dive,
    put_together,
    question,
    read,
    says,
)
from tests.scripted import Reply, scripted

pytestmark = pytest.mark.django_db(transaction=True)
DEAD = ProviderError(Fault.BAD_REQUEST, "no")
WHY = "Why do orders above 500 sheets go to the big press?"


@pytest.fixture
def row(transfer):
    """A document that is ready."""
    says(found=dive(gaps=["a gap"]))
    return read(transfer)


@pytest.fixture
def drawn_up(transfer, row):
    """What it says, put together."""
    return put_together(transfer)


def again(row):
    row.refresh_from_db()
    return row


# -- deep dives


def test_a_person_writes_a_dive(transfer, row):
    gaps = ["  why\n500? ", "", *(f"{n} sheets" for n in range(30)), "x" * 999]
    write_dive(row, {"purpose": " Mine. ", "gaps": gaps})

    assert (again(row).edited, row.content["made_by"], row.status) == (True, "person", "ready")
    assert (row.content["purpose"], row.content["gaps"][0]) == ("Mine.", "why 500?")
    assert len(row.content["gaps"]) == MOST_ITEMS
    assert row.content["thresholds"] == []
    assert row.content["points"][0]["place"] == "lines 1–3"
    assert dive_of(row).purpose == "Mine."
    write_dive(row, {"gaps": gaps[-1:]})
    assert max(map(len, again(row).content["gaps"])) == LONGEST_ITEM


def test_what_was_being_made_meanwhile_is_not_stored(transfer, row, monkeypatch):
    def slow(*given):
        write_dive(Document.objects.get(pk=row.pk), {"purpose": "Mine."})
        return real(*given)

    real = deep_dive.analyse_document
    monkeypatch.setattr(document_job, "analyse_document", slow)
    request_new_dive(row)

    document_job.JOB.run(row.pk)

    assert (again(row).status, row.content["purpose"], row.claim) == ("ready", "Mine.", None)
    assert progress(transfer).context == "pending"


def test_one_that_is_not_read_has_no_dive_to_write(transfer):
    row = add_file(transfer, "notes.txt", NOTES)

    with pytest.raises(DocumentNotRead, match="been read yet"):
        write_dive(row, {"purpose": "Mine."})
    assert again(row).status == "pending"


def test_written_while_the_model_reads_it_the_first_time_it_is_ready(transfer, monkeypatch):
    def slow(row, parts):
        write_dive(row, {"purpose": "Mine."})
        return real(row, parts)

    real = deep_dive.analyse_document
    monkeypatch.setattr(document_job, "analyse_document", slow)
    says()

    row = read(transfer)

    assert (row.status, row.content["purpose"], row.edited) == ("ready", "Mine.", True)
    assert not DocumentFile.objects.exists()
    assert progress(transfer).context == "pending"


def test_made_again_the_old_one_is_used_until_the_new_one_is_there(transfer, row):
    write_dive(row, {"purpose": "Mine."})
    request_new_dive(row)
    assert (again(row).status, row.content["purpose"]) == ("pending", "Mine.")
    assert progress(transfer).busy

    document_job.JOB.run(row.pk)

    assert (again(row).edited, row.content["made_by"]) == (False, "model")
    assert row.content["gaps"] == ["a gap"]
    assert row.parts.count() == 1


@pytest.mark.parametrize("provider", ["scripted", "offline"])
@pytest.mark.parametrize("written", [True, False])
def test_what_was_better_than_rules_is_not_given_up_for_them(row, settings, provider, written):
    if written:
        write_dive(row, {"purpose": "Mine."})
    before = again(row).content
    settings.LLM_PROVIDER = provider
    scripted.always(DIVE, DEAD)
    request_new_dive(row)

    document_job.JOB.run(row.pk)

    assert (again(row).status, row.content, row.edited) == ("ready", before, written)
    assert row.reason.endswith("The analysis shown is an earlier one.")


def test_one_that_failed_is_tried_again_when_somebody_asks(transfer):
    row = read(transfer, "bad.pdf", b"%PDF-1.7 nothing")
    assert row.status == "failed"

    request_new_dive(row)
    document_job.JOB.run(row.pk)

    assert (again(row).status, row.attempts) == ("failed", 1)


def test_the_rules_dive_becomes_a_models(transfer, settings):
    settings.LLM_PROVIDER = "offline"
    row = read(transfer)
    put_together(transfer)
    settings.LLM_PROVIDER = "scripted"
    says()
    request_new_dive(row)
    document_job.JOB.run(row.pk)

    assert again(row).content["made_by"] == "model"
    assert put_together(transfer).content["made_by"] == "model"


# -- the summary


def test_a_person_writes_the_summary(transfer, drawn_up):
    write_summary(transfer, " # Mine\r\n\r\nAll of it.\x00 ")

    assert (again(drawn_up).edited, drawn_up.status) == (True, "ready")
    assert drawn_up.content["summary"] == "# Mine\n\nAll of it."
    assert drawn_up.content["made_by"] == "person"
    assert not is_stale(drawn_up)


def test_it_is_written_without_any_document(transfer):
    row = write_summary(transfer, "Mine.")

    assert (row.status, row.content["summary"], is_stale(row)) == ("ready", "Mine.", False)
    assert context_job.JOB.sweep() == 0


def test_a_summary_of_a_person_stays_and_is_stale_when_documents_come(transfer, drawn_up):
    write_summary(transfer, "Mine.")
    says(question(WHY))
    asked = len(scripted.asked(SUMMARY))
    read(transfer, "two.txt", NOTES * 2)
    assert progress(transfer).stale

    row = put_together(transfer)

    assert (row.content["summary"], row.edited, row.status) == ("Mine.", True, "ready")
    assert is_stale(row)
    assert len(scripted.asked(SUMMARY)) == asked
    assert transfer.backlog.get().text == WHY

    request_new_context(transfer)
    row = put_together(transfer)
    assert (row.content["summary"], row.edited, is_stale(row)) == ("All prints.", False, False)


def test_written_while_it_is_being_made_it_stays_and_the_questions_come(transfer, row):
    def slow(bot, rows, summary):
        if summary:
            write_summary(bot, "Mine.")
        return real(bot, rows, summary)

    real = context_job.draft_context
    says(question(WHY))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(context_job, "draft_context", slow)
        made = put_together(transfer)
    assert (made.status, made.content["summary"]) == ("pending", "Mine.")
    assert not transfer.backlog.exists()

    made = put_together(transfer)

    assert (made.status, made.content["summary"], made.edited) == ("ready", "Mine.", True)
    assert transfer.backlog.count() == 1
    assert not is_stale(made)


def test_made_again_without_a_model_what_a_person_wrote_stays(transfer, drawn_up, settings):
    settings.LLM_PROVIDER = "offline"
    write_summary(transfer, "Mine.")
    request_new_context(transfer)
    assert again(drawn_up).status == "pending"

    made = put_together(transfer)

    assert (made.content["summary"], made.edited) == ("Mine.", True)
    assert made.reason == "The summary is an earlier one."


def test_an_edited_dive_makes_the_summary_stale_and_nothing_more(transfer, row, drawn_up):
    write_dive(row, {"purpose": "Mine."})

    assert is_stale(again(drawn_up))
    assert not progress(transfer).busy


def test_again_without_documents_is_nothing(transfer):
    request_new_context(transfer)
    assert not ProjectContext.objects.exists()
    write_summary(transfer, "Mine.")
    request_new_context(transfer)
    assert ProjectContext.objects.get().status == "ready"


# -- removing


def test_a_document_is_removed_with_all_that_was_read_and_questions_keep_the_words(transfer, row):
    source = {"document": "notes.txt", "place": "lines 1–3", "text": "Orders above 500 …"}
    BacklogQuestion.objects.create(bot=transfer, key="a", text=WHY, sources=[source])
    read(transfer, "two.txt", NOTES * 2)
    put_together(transfer)

    remove_document(row)

    assert [one.name for one in transfer.documents.all()] == ["two.txt"]
    assert DocumentPart.objects.filter(document=row.pk).count() == 0
    assert transfer.backlog.get().sources == [source]
    assert progress(transfer).context == "pending"
    assert put_together(transfer).status == "ready"
    assert "# notes.txt" not in scripted.asked(SUMMARY)[-1].messages[-1].text
    remove_document(row)  # a second time, from a page that is old


def test_with_the_last_document_the_summary_goes_unless_a_person_wrote_it(transfer, row, drawn_up):
    remove_document(row)
    assert not ProjectContext.objects.exists()

    row = read(transfer)
    write_summary(transfer, "Mine.")
    ProjectContext.objects.update(status="running", claim=uuid.uuid4())
    remove_document(row)

    kept = ProjectContext.objects.get()
    assert (kept.content["summary"], kept.status, kept.claim) == ("Mine.", "ready", None)


def test_removed_while_it_is_made_nothing_comes_back(transfer, monkeypatch):
    def slow(row, parts):
        remove_document(Document.objects.get(pk=row.pk))
        return real(row, parts)

    real = deep_dive.analyse_document
    says()
    row = add_file(transfer, "notes.txt", NOTES)
    monkeypatch.setattr(document_job, "analyse_document", slow)

    document_job.JOB.run(row.pk)

    assert not Document.objects.exists()
    assert not ProjectContext.objects.exists()


def test_the_last_one_waited_for_is_removed_and_the_others_are_put_together(transfer, row):
    put_together(transfer)
    two = read(transfer, "two.txt", NOTES * 2)
    three = add_file(transfer, "three.txt", NOTES * 3)
    context_job.JOB.run(transfer.project_context.pk)
    assert progress(transfer).context == "ready"

    remove_document(three)

    assert progress(transfer).context == "pending"
    assert put_together(transfer).status == "ready"
    assert f"# {two.name}" in scripted.asked(QUESTIONS)[-1].messages[-1].text


# -- how far it is


def test_progress(transfer):
    assert progress(transfer) == Progress(0, 0, 0, 0)
    assert not progress(transfer).busy
    says()
    read(transfer)
    read(transfer, "bad.pdf", b"%PDF-1.7 nothing")
    add_file(transfer, "two.txt", NOTES * 2)

    assert progress(transfer) == Progress(3, 1, 1, 1, "pending")
    document_job.JOB.run(transfer.documents.get(name="two.txt").pk)
    assert progress(transfer).busy
    put_together(transfer)
    assert progress(transfer) == Progress(3, 2, 1, 0, Job.Status.READY)
    assert not progress(transfer).busy


def test_a_slow_summary_is_seen_as_being_made(transfer, row):
    scripted.reply(SUMMARY, Reply(ProjectSummary(summary="Slow."), delay=0.1))
    ProjectContext.objects.update(status="running", claim=uuid.uuid4())

    assert (progress(transfer).context, progress(transfer).busy) == ("running", True)
