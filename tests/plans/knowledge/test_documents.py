"""A document is read once, looked into, stored once; whatever happens to whoever does it."""

import threading
import uuid
from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.db import connection
from django.utils import timezone

from interviewsite import celery_app
from llm.models import LLMCall
from llm.providers.base import Fault, ProviderError
from plans import jobs
from plans.bots.compile import plan_for
from plans.documents import Reason, Unreadable
from plans.documents import read as really_read
from plans.jobs import LEASE, MOST_ATTEMPTS, Job
from plans.models import BacklogQuestion, Bot, Document, DocumentFile, DocumentPart, ProjectContext
from plans.protocols import job_types
from plans.protocols.knowledge_transfer.analysis import context_job, document_job
from plans.protocols.knowledge_transfer.analysis.requests import add_file
from plans.protocols.knowledge_transfer.analysis.status import progress
from plans.protocols.knowledge_transfer.content import DeepDive, dive_of
from tests.plans.knowledge.handing_over import DEMO, DIVE, NOTES, dive, put_together, read, says
from tests.scripted import Reply, scripted

pytestmark = pytest.mark.django_db(transaction=True)
DEAD = ProviderError(Fault.BAD_REQUEST, "no")


@pytest.fixture
def times_read(monkeypatch):
    """How often a file was read."""
    seen = []

    def counted(name, content):
        seen.append(name)
        return really_read(name, content)

    monkeypatch.setattr(document_job, "read", counted)
    return seen


def again(row):
    row.refresh_from_db()
    return row


def due(row):
    """The pause after a failure, or the lease of who has died, is over."""
    past = timezone.now() - timedelta(seconds=1)
    Document.objects.filter(pk=row.pk).update(claimed_until=past)


def test_it_is_read_and_looked_into(transfer, times_read):
    says(found=dive(thresholds=["500 sheets"], gaps=["no reason for the limit of 500 sheets"]))

    row = read(transfer)

    assert (row.status, row.reason, row.attempts, row.claim) == ("ready", "", 1, None)
    assert (row.kind, times_read) == ("text", ["notes.txt"])
    assert row.content["made_by"] == "model"
    assert row.content["thresholds"] == ["500 sheets"]
    assert row.content["points"][0] == {
        "text": "Orders above 500 sheets go to the big press.",
        "place": "lines 1–3",
    }
    assert dive_of(row).gaps == ("no reason for the limit of 500 sheets",)
    assert not DocumentFile.objects.exists()
    assert LLMCall.objects.get().bot == str(transfer.pk)
    request = scripted.asked(DIVE)[0]
    assert "<name>notes.txt</name>" in request.messages[-1].text
    assert "[lines 1–3]\nOrders above 500" in request.messages[-1].text
    assert request.shape.strict is not None


def test_the_demo_is_read_without_a_model(transfer, settings):
    settings.LLM_PROVIDER = "offline"
    rows = [read(transfer, path.name, path.read_bytes()) for path in sorted(DEMO.glob("*.[!y]*"))]

    assert [row.kind for row in rows] == ["markdown", "xlsx", "code"]
    assert {row.content["made_by"] for row in rows} == {"rules"}
    assert {row.reason for row in rows} == {""}
    said = " ".join(point["text"] for row in rows for point in row.content["points"])
    for figure in ("0.985", "5,000", "LEAD_DAYS"):
        assert figure in said


def test_a_bot_with_documents_makes_a_plan(transfer, settings):
    settings.LLM_PROVIDER = "offline"
    read(transfer)
    BacklogQuestion.objects.create(bot=transfer, key="a", text="Why 500?")

    material = plan_for(transfer).content["material"]

    assert material["documents"][0]["dive"]["points"][0].startswith("Orders above 500")
    assert material["summary"] == ""


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ((DEAD,), "bad request"),
        (("broken {", "still {"), "invalid"),
        ((dive(purpose=" "),), "its answer was empty"),
    ],
)
def test_a_model_that_fails_leaves_its_own_sentences(transfer, answers, why):
    scripted.reply(DIVE, *answers)

    row = read(transfer)

    assert (row.status, row.content["made_by"]) == ("ready", "rules")
    assert row.reason.startswith("The model did not look into it (")
    assert why in row.reason
    assert row.reason.endswith("What is shown are sentences of its own.")
    assert row.content["points"]
    assert dive_of(row) == DeepDive(points=dive_of(row).points)


def test_too_slow_is_tried_again_and_given_up(transfer, monkeypatch):
    def slow(name, content):
        raise Unreadable(Reason.TOO_SLOW)

    monkeypatch.setattr(document_job, "read", slow)
    row = read(transfer)
    assert (row.status, row.attempts) == ("pending", 1)
    assert "took too long" in row.reason

    for _ in range(MOST_ATTEMPTS):
        due(row)
        document_job.JOB.run(row.pk)
    assert (again(row).status, row.attempts) == ("failed", MOST_ATTEMPTS)
    assert row.file.content


def test_a_defect_of_ours_is_tried_again(transfer, monkeypatch, times_read):
    says()
    with monkeypatch.context() as patch:
        patch.setattr(document_job, "analyse_document", lambda row, parts: 1 / 0)
        row = read(transfer)
    assert (row.status, row.reason) == ("pending", "ZeroDivisionError: division by zero")
    assert (row.kind, row.parts.count()) == ("text", 1)

    due(row)
    document_job.JOB.run(row.pk)
    assert (again(row).status, row.parts.count(), times_read) == ("ready", 1, ["notes.txt"])


def test_a_file_that_is_gone_is_said(transfer):
    row = add_file(transfer, "notes.txt", NOTES)
    DocumentFile.objects.all().delete()

    document_job.JOB.run(row.pk)

    assert (again(row).status, row.attempts) == ("failed", 1)
    assert "The file is gone" in row.reason


def test_whose_maker_died_in_mid_dive_is_made_again_from_what_was_read(transfer, times_read):
    class Killed(BaseException):
        """Nothing catches it, as if the process had ended."""

    scripted.reply(DIVE, Killed())
    row = add_file(transfer, "notes.txt", NOTES)
    with pytest.raises(Killed):
        document_job.JOB.run(row.pk)
    assert (again(row).status, row.parts.count()) == ("running", 1)
    assert document_job.JOB.sweep() == 0

    due(row)
    says()
    assert document_job.JOB.sweep() == 1
    document_job.JOB.run(row.pk)
    assert (again(row).status, row.attempts, row.parts.count()) == ("ready", 2, 1)
    assert times_read == ["notes.txt"]


def test_a_process_that_begins_alone_takes_up_everything(transfer):
    row = add_file(transfer, "notes.txt", NOTES)
    Document.objects.update(
        status="running", claim=uuid.uuid4(), claimed_until=timezone.now() + LEASE
    )

    assert document_job.JOB.sweep(at_once=True) == 1
    assert (again(row).status, row.claim) == ("pending", None)


def test_who_kills_every_maker_is_given_up_and_the_others_go_on(transfer):
    says()
    read(transfer, "other.txt", b"Orders of Thursday are printed on the small press.")
    row = add_file(transfer, "notes.txt", NOTES)
    context_job.JOB.run(transfer.project_context.pk)
    assert not ProjectContext.objects.exists()  # one document is still waited for
    Document.objects.filter(pk=row.pk).update(
        status="running", claim=uuid.uuid4(), attempts=MOST_ATTEMPTS
    )
    due(row)

    assert document_job.JOB.sweep() == 0

    assert again(row).status == "failed"
    assert "the process ended" in row.reason
    assert put_together(transfer).content["summary"] == "All prints."


def test_two_workers_at_once_make_it_once(transfer, times_read):
    scripted.always(DIVE, Reply(dive(), delay=0.2))
    row = add_file(transfer, "notes.txt", NOTES)

    def make():
        document_job.JOB.run(row.pk)
        connection.close()

    threads = [threading.Thread(target=make) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (again(row).status, row.attempts, row.parts.count()) == ("ready", 1, 1)
    assert (len(scripted.asked(DIVE)), times_read) == (1, ["notes.txt"])
    assert ProjectContext.objects.count() == 1


def test_who_lost_the_claim_while_reading_keeps_nothing(transfer, monkeypatch):
    def slow(name, content):
        Document.objects.update(claim=uuid.uuid4())
        return really_read(name, content)

    monkeypatch.setattr(document_job, "read", slow)
    row = read(transfer)

    assert (row.status, row.kind, row.content) == ("running", "", {})
    assert not DocumentPart.objects.exists()


@pytest.mark.parametrize("gone", [Document, Bot])
def test_one_that_is_deleted_meanwhile_leaves_nothing(transfer, monkeypatch, gone):
    def slow(parts):
        gone.objects.all().delete()
        return real(parts)

    real = document_job.points_of
    monkeypatch.setattr(document_job, "points_of", slow)
    says()
    row = add_file(transfer, "notes.txt", NOTES)

    document_job.JOB.run(row.pk)
    document_job.JOB.run(row.pk)

    assert not Document.objects.exists()
    assert not DocumentPart.objects.exists()
    assert not ProjectContext.objects.exists()


def test_the_context_is_wished_for_when_the_last_has_settled(transfer):
    says()
    one, two = (add_file(transfer, f"{n}.txt", NOTES * n) for n in (1, 2))
    bad = add_file(transfer, "bad.pdf", b"%PDF-1.7 nothing")

    document_job.JOB.run(one.pk)
    assert progress(transfer).waiting == 2
    document_job.JOB.run(two.pk)
    assert not ProjectContext.objects.exists()
    document_job.JOB.run(bad.pk)

    assert ProjectContext.objects.get().status == "pending"
    assert (progress(transfer).ready, progress(transfer).failed) == (2, 1)


def test_only_the_process_that_serves_makes_it_in_a_thread(transfer, settings, monkeypatch):
    settings.REDIS_URL = ""
    put = []
    monkeypatch.setattr(jobs, "_thread_queue", lambda name: type("Bench", (), {"put": put.append}))
    monkeypatch.setattr(jobs, "_serving", True)
    says()
    row = add_file(transfer, "notes.txt", NOTES)

    for work in put:  # it grows: the context follows the document
        work()

    assert again(row).status == Job.Status.READY
    assert ProjectContext.objects.get().status == Job.Status.READY
    assert len(put) == 2


def test_with_redis_it_goes_to_a_worker(transfer, settings, monkeypatch):
    settings.REDIS_URL = "redis://nowhere"
    put, sent = [], []
    monkeypatch.setattr(jobs, "_thread_queue", lambda name: type("Bench", (), {"put": put.append}))
    monkeypatch.setattr(jobs, "_broker_rests_until", 0.0)
    celery = SimpleNamespace(send_task=lambda name, args: sent.append((name, args)))
    monkeypatch.setattr(jobs, "current_app", celery)
    row = add_file(transfer, "notes.txt", NOTES)

    put[0]()

    assert sent == [("plans.tasks.make_document", [row.pk])]


def test_every_kind_of_job_has_its_celery_task():
    import_module("plans.tasks")

    assert set(job_types()) == {
        "plans.tasks.make_intelligence",
        "plans.tasks.make_document",
        "plans.tasks.make_context",
    }
    assert set(job_types()) <= set(celery_app.tasks)
