"""Several people and workers at the same documents: no wish is lost, and nobody waits for ever."""

import threading

import pytest
from django.db import connection

from plans.jobs import Job
from plans.models import BacklogQuestion, Document, DocumentFile, ProjectContext
from plans.protocols.knowledge_transfer.analysis import context_job, document_job
from plans.protocols.knowledge_transfer.analysis.requests import (
    DocumentRejected,
    add_file,
    remove_document,
    write_dive,
    write_summary,
)
from plans.protocols.knowledge_transfer.analysis.status import progress, signature_of
from tests.plans.knowledge.handing_over import DIVE, NOTES, dive, put_together, question, says
from tests.scripted import Reply, scripted

pytestmark = pytest.mark.django_db(transaction=True)
WHY = "Why do orders above 500 sheets go to the big press?"


def at_once(*works):
    """Runs them in threads; what they raised."""
    raised = []

    def run(work):
        try:
            work()
        except Exception as error:
            raised.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[work]) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    return raised


def test_whoever_of_several_ends_last_wishes_for_the_context(transfer):
    says()
    scripted.always(DIVE, Reply(dive(), delay=0.1))
    rows = [add_file(transfer, f"{n}.txt", NOTES * n) for n in range(1, 6)]

    assert not at_once(*(lambda pk=row.pk: document_job.JOB.run(pk) for row in rows))

    assert progress(transfer).ready == 5
    context = ProjectContext.objects.get()
    assert (context.status, context.signature) == (Job.Status.PENDING, signature_of(transfer))


def test_adding_making_writing_and_removing_at_once_ends_whole(transfer):
    says(question(WHY))
    rows = [add_file(transfer, f"{n}.txt", NOTES * n) for n in range(1, 7)]
    document_job.JOB.run(rows[0].pk)

    raised = at_once(
        *(lambda pk=row.pk: document_job.JOB.run(pk) for row in rows[1:4]),
        *(lambda row=row: remove_document(row) for row in rows[3:5]),
        lambda: write_dive(rows[0], {"purpose": "Mine."}),
        lambda: write_summary(transfer, "Mine too."),
        lambda: add_file(transfer, "late.txt", NOTES * 9),
        lambda: add_file(transfer, "late.txt", NOTES * 9),
        lambda: [context_job.JOB.run(row.pk) for row in ProjectContext.objects.all()],
    )

    assert [type(error) for error in raised] == [DocumentRejected]
    for row in Document.objects.filter(status=Job.Status.PENDING):
        document_job.JOB.run(row.pk)
    context = put_together(transfer)
    names = set(Document.objects.values_list("name", flat=True))
    assert names == {"1.txt", "2.txt", "3.txt", "6.txt", "late.txt"}
    assert set(Document.objects.values_list("status", flat=True)) == {Job.Status.READY}
    assert not DocumentFile.objects.exists()
    assert (context.status, context.content["summary"]) == (Job.Status.READY, "Mine too.")
    assert context.signature == signature_of(transfer)
    assert Document.objects.get(name="1.txt").content["purpose"] == "Mine."
    assert BacklogQuestion.objects.count() == 1
