"""What all documents say together: made once for them, side by side, and never against a person."""

import asyncio
import threading
import uuid

import pytest
from django.db import connection
from django.utils import timezone

from llm.providers.base import Fault, ProviderError
from plans.bots.compile import plan_for
from plans.models import BacklogQuestion, Document, ProjectContext
from plans.protocols.knowledge_transfer.analysis import context_job, document_job, drafts
from plans.protocols.knowledge_transfer.analysis.drafts import (
    LONGEST_SUMMARY,
    BacklogDraft,
    ProjectSummary,
)
from plans.protocols.knowledge_transfer.analysis.requests import add_file
from plans.protocols.knowledge_transfer.analysis.statements import LEAST, ROOM, documents_brief
from plans.protocols.knowledge_transfer.analysis.status import is_stale, progress, signature_of
from plans.text.markdown import as_html
from tests.plans.knowledge.handing_over import (
    NOTES,
    QUESTIONS,
    SUMMARY,
    dive,
    put_together,
    question,
    read,
    says,
)
from tests.scripted import Reply, ScriptedProvider, scripted
from tests.transfers import make_document, make_transfer_bot

pytestmark = pytest.mark.django_db(transaction=True)
WHY = "Why do orders above 500 sheets go to the big press?"
DEAD = ProviderError(Fault.BAD_REQUEST, "no")


def asked(task):
    return scripted.asked(task)[-1].messages[-1].text


def test_a_summary_and_questions_come_of_the_dives(transfer):
    says(question(WHY, "P0", "No reason.", ("notes.txt", "lines 1–3")), found=dive(gaps=["500"]))
    BacklogQuestion.objects.create(bot=transfer, key="a", text="Who is Marta?")
    transfer.options = {"project": "presses", "handed_over_by": "the planner"}
    transfer.save()
    read(transfer)

    row = put_together(transfer)

    assert (row.status, row.reason, row.attempts) == ("ready", "", 1)
    assert row.content["summary"] == "All prints."
    assert row.content["made_by"] == "model"
    assert row.content["questions"][0]["sources"][0]["place"] == "lines 1–3"
    drafted = transfer.backlog.get(origin="ANALYSIS")
    assert (drafted.text, drafted.priority, drafted.position) == (WHY, "P0", 1)
    assert drafted.sources[0]["text"].startswith("Orders above 500")
    assert not is_stale(row)
    for task in (SUMMARY, QUESTIONS):
        for words in ("# notes.txt", "Gaps:\n- 500", "[lines 1–3] Orders", "presses", "planner"):
            assert words in asked(task)
    assert "<known>\nWho is Marta?\n</known>" in asked(QUESTIONS)
    assert plan_for(transfer).content["material"]["summary"] == "All prints."


def test_without_a_model_it_is_the_documents_own_sentences(transfer, settings):
    settings.LLM_PROVIDER = "offline"
    read(transfer)
    read(transfer, "two.md", b"# Rules\n\nOffers above 5,000 euros are seen by a second person.")

    row = put_together(transfer)

    assert (row.status, row.reason, row.content["made_by"]) == ("ready", "", "rules")
    assert row.content["summary"].startswith(
        "## notes.txt\n\n- Orders above 500 sheets go to the big press.\n"
    )
    assert "## two.md\n\n- " in row.content["summary"]
    assert row.content["questions"] == []
    assert not transfer.backlog.exists()


@pytest.mark.parametrize(
    ("summary", "questions", "by", "reason"),
    [
        (DEAD, DEAD, "rules", "The model gave no summary (scripted: bad request). The model"),
        ("garbage {", DEAD, "rules", "The model gave no summary (scripted: invalid). The model"),
        (ProjectSummary(summary="Yes."), "[1, 2", "model", "The model gave no questions (scripted"),
        (ProjectSummary(summary=" \x00 "), BacklogDraft(questions=[]), "rules", ""),
    ],
)
def test_a_model_that_fails_or_talks_nonsense_is_no_hindrance(
    transfer, summary, questions, by, reason
):
    says()
    read(transfer)
    scripted.always(SUMMARY, summary)
    scripted.always(QUESTIONS, questions)

    row = put_together(transfer)

    assert (row.status, row.content["made_by"]) == ("ready", by)
    assert row.reason.startswith(reason)
    assert row.content["summary"]
    assert not transfer.backlog.exists()


def test_both_are_asked_side_by_side(transfer, monkeypatch):
    says()
    read(transfer)
    both, stream = asyncio.Barrier(2), ScriptedProvider.stream

    async def met(self, request):
        async with asyncio.timeout(30):
            await both.wait()  # for the other to be asked as well
        async for event in stream(self, request):
            yield event

    monkeypatch.setattr(ScriptedProvider, "stream", met)

    assert put_together(transfer).content["made_by"] == "model"
    assert [len(scripted.asked(task)) for task in (SUMMARY, QUESTIONS)] == [1, 1]


def test_time_is_bounded(transfer, monkeypatch):
    says()
    read(transfer)
    monkeypatch.setattr(drafts, "SECONDS", 0.3)
    scripted.always(SUMMARY, Reply(ProjectSummary(summary="Late."), delay=60))

    assert put_together(transfer).content["made_by"] == "rules"


def test_a_summary_without_end_is_cut(transfer):
    says(summary="word " * 9_000)
    read(transfer)

    assert len(put_together(transfer).content["summary"]) == LONGEST_SUMMARY


def test_made_twice_it_is_asked_and_stored_once(transfer):
    says(question(WHY))
    read(transfer)

    put_together(transfer)
    put_together(transfer)

    assert len(scripted.asked(SUMMARY)) == 1
    assert transfer.backlog.count() == 1


def test_two_workers_at_once_make_it_once(transfer):
    says(question(WHY))
    read(transfer)
    scripted.always(SUMMARY, Reply(ProjectSummary(summary="Slow."), delay=0.2))
    pk = transfer.project_context.pk

    def make():
        context_job.JOB.run(pk)
        connection.close()

    threads = [threading.Thread(target=make) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(scripted.asked(SUMMARY)) == 1
    assert transfer.backlog.count() == 1


def test_killed_in_the_middle_it_is_made_again_and_nothing_doubled(transfer):
    class Killed(BaseException):
        """Nothing catches it, as if the process had ended."""

    says(question(WHY))
    read(transfer)
    scripted.reply(QUESTIONS, Killed())
    with pytest.raises(Killed):
        put_together(transfer)
    assert progress(transfer).context == "running"
    assert not transfer.backlog.exists()

    ProjectContext.objects.update(claimed_until=timezone.now())
    assert context_job.JOB.sweep() == 1
    row = put_together(transfer)
    assert (row.status, row.attempts, transfer.backlog.count()) == ("ready", 2, 1)


def test_backlog_and_context_are_stored_together_or_not_at_all(transfer, monkeypatch):
    says(question(WHY))
    read(transfer)

    def broken(bot, drafted):
        real(bot, drafted)
        return 1 / 0

    real = context_job.reconcile
    with monkeypatch.context() as patch:
        patch.setattr(context_job, "reconcile", broken)
        row = put_together(transfer)

    assert (row.status, row.content) == ("pending", {})
    assert not transfer.backlog.exists()


def test_who_lost_the_claim_stores_nothing(transfer, monkeypatch):
    def slow(bot, rows, summary):
        ProjectContext.objects.update(claim=uuid.uuid4())
        return real(bot, rows, summary)

    real = context_job.draft_context
    monkeypatch.setattr(context_job, "draft_context", slow)
    says(question(WHY))
    read(transfer)

    row = put_together(transfer)

    assert (row.status, row.content, transfer.backlog.count()) == ("running", {}, 0)


def test_a_document_that_comes_meanwhile_has_it_made_anew(transfer, monkeypatch):
    def slow(bot, rows, summary):
        if len(rows) == 1:
            read(transfer, "two.txt", NOTES * 2)
        return real(bot, rows, summary)

    real = context_job.draft_context
    monkeypatch.setattr(context_job, "draft_context", slow)
    says(question(WHY))
    read(transfer)

    row = put_together(transfer)
    assert (row.status, row.content, transfer.backlog.count()) == ("pending", {}, 0)

    row = put_together(transfer)
    assert (row.status, row.signature) == ("ready", signature_of(transfer))
    assert "# two.txt" in asked(SUMMARY)


def test_a_dive_that_a_person_writes_meanwhile_makes_it_stale(transfer, monkeypatch):
    def slow(bot, rows, summary):
        row = Document.objects.get()
        Document.objects.update(content={**row.content, "purpose": "Mine."})
        return real(bot, rows, summary)

    real = context_job.draft_context
    monkeypatch.setattr(context_job, "draft_context", slow)
    says()
    read(transfer)

    row = put_together(transfer)

    assert row.status == "ready"
    assert is_stale(row)
    assert progress(transfer).stale


def test_it_waits_for_documents_that_are_still_being_made(transfer):
    says()
    read(transfer)
    two = add_file(transfer, "two.txt", NOTES * 2)

    context_job.JOB.run(transfer.project_context.pk)
    assert not ProjectContext.objects.exists()
    assert not scripted.asked(SUMMARY)

    document_job.JOB.run(two.pk)
    assert put_together(transfer).status == "ready"


def test_what_was_there_stays_while_more_documents_are_made(transfer):
    says()
    read(transfer)
    put_together(transfer)
    context_job.enqueue_context(transfer.project_context, signature_of(transfer))
    bad = add_file(transfer, "two.pdf", b"%PDF-1.7 nothing")

    row = put_together(transfer)
    assert (row.status, row.content["summary"]) == ("ready", "All prints.")

    document_job.JOB.run(bad.pk)  # it fails, and the wish for the others is not lost
    assert put_together(transfer).attempts == 1
    assert len(scripted.asked(SUMMARY)) == 2


def test_the_same_documents_are_not_put_together_twice(transfer):
    says()
    read(transfer)
    put_together(transfer)
    bad = add_file(transfer, "two.pdf", b"%PDF-1.7 nothing")
    document_job.JOB.run(bad.pk)

    assert progress(transfer).context == "ready"
    assert not progress(transfer).stale


def test_a_better_summary_is_not_given_up_for_the_rules(transfer):
    says()
    read(transfer)
    put_together(transfer)
    scripted.always(SUMMARY, DEAD)
    read(transfer, "two.txt", NOTES * 2)

    row = put_together(transfer)

    assert (row.content["summary"], row.content["made_by"]) == ("All prints.", "model")
    assert is_stale(row)
    assert row.reason.endswith("(scripted: bad request). The summary is an earlier one.")


def test_when_the_bot_goes_it_goes(transfer, monkeypatch):
    def slow(bot, rows, summary):
        transfer.delete()
        return real(bot, rows, summary)

    real = context_job.draft_context
    monkeypatch.setattr(context_job, "draft_context", slow)
    says(question(WHY))
    read(transfer)

    context_job.JOB.run(transfer.project_context.pk)

    assert not ProjectContext.objects.exists()
    assert not BacklogQuestion.objects.exists()


def test_a_backlog_without_room_is_said(transfer, monkeypatch):
    monkeypatch.setattr("plans.protocols.knowledge_transfer.analysis.drafts.MOST_QUESTIONS", 1)
    says(question(WHY), question("Who repairs the small press?"))
    read(transfer)

    row = put_together(transfer)

    assert row.reason == "The backlog is full. Drafted questions left out: 1."


# -- what a model reads of many documents


def test_many_documents_share_the_room():
    bot = make_transfer_bot(documents=False)
    full = {
        "purpose": "p" * 600,
        **{name: [f"{n} {'x' * 290}" for n in range(20)] for name in ("gaps", "people")},
        "points": [{"text": "y" * 300, "place": "page 1"}] * 8,
    }
    rows = [make_document(bot, f"{n}.txt", full) for n in range(50)]

    text, shortened = documents_brief(rows)

    assert len(text) <= 50 * max(LEAST, ROOM // 50) + 100
    assert shortened == 50
    assert all(f"# {n}.txt" in text for n in range(50))
    assert documents_brief(rows[:3])[1] == 0
    assert documents_brief([]) == ("", 0)


def test_what_was_left_out_is_said(transfer, monkeypatch):
    monkeypatch.setattr("plans.protocols.knowledge_transfer.analysis.statements.ROOM", 0)
    monkeypatch.setattr("plans.protocols.knowledge_transfer.analysis.statements.LEAST", 120)
    says(found=dive(gaps=[f"gap {n}" for n in range(20)]))
    read(transfer)

    assert put_together(transfer).reason == ("Documents that the model saw only in part: 1.")


def test_without_a_model_a_documents_own_words_are_no_markup():
    bot = make_transfer_bot(documents=False)
    points = [{"text": "price = B1*B4*(1-B5) for # 3 _see_ <b>", "place": "A1"}]
    row = make_document(bot, "prices_v2.xlsx", {"purpose": "*All* offers", "points": points})

    shown = as_html(drafts.extract_summary([row]))

    assert "<em>" not in shown
    assert "price = B1*B4*(1-B5) for # 3 _see_ &lt;b&gt;" in shown
