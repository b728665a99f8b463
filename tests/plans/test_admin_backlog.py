"""The page of a backlog, as people use it."""

import re
from html import unescape

import pytest

from plans.bots.duplicate import duplicate_bot
from plans.bots.history import bot_history
from plans.jobs import Job
from plans.models import BacklogQuestion, Document, DocumentFile, ProjectContext
from plans.protocols import readable
from plans.protocols.knowledge_transfer.analysis.requests import write_summary
from plans.protocols.knowledge_transfer.analysis.status import is_stale
from plans.protocols.knowledge_transfer.backlog import ordered_questions
from tests.plans.pages import form_of, text_of
from tests.transfers import QUESTIONS, make_transfer_bot


@pytest.fixture
def transfer(db):
    return make_transfer_bot()


def url(bot, page="backlog"):
    return f"/admin/plans/bot/{bot.pk}/{page}/"


def row_of(page, key):
    """The number of a question's row on the page."""
    return next(n.split("-")[1] for n, v in page.items() if n.endswith("-key") and v == [key])


def keys(bot):
    return [row.key for row in ordered_questions(bot)]


def test_questions_are_grouped_by_priority(owner, transfer):
    page = text_of(owner.get(url(transfer)))
    texts = [re.search(re.escape(text), unescape(page)).start() for _, _, text, _ in QUESTIONS]

    assert texts == sorted(texts)
    assert page.index('id="P0"') < page.index('id="P1"') < page.index('id="P2"')
    assert "prices.xlsx" in page


def test_saving_without_a_change_changes_nothing(owner, transfer):
    page = form_of(owner.get(url(transfer)))

    answer = owner.post(url(transfer), page, follow=True)

    assert "Nothing changed." in text_of(answer)
    assert BacklogQuestion.history.count() == 5


def test_a_question_is_put_in_other_words(owner, transfer):
    page = form_of(owner.get(url(transfer)))
    n = row_of(page, "small-orders")
    words = {f"backlog-{n}-text": "Who may order\r\nfor less than 48 €?", f"backlog-{n}-why": "W."}

    answer = owner.post(url(transfer), page | words | {f"backlog-{n}-priority": "P0"}, follow=True)

    assert "Saved: 1 changed." in text_of(answer)
    question = transfer.backlog.get(key="small-orders")
    assert question.text == "Who may order for less than 48 €?"
    assert (question.why, question.priority) == ("W.", "P0")
    assert BacklogQuestion.history.count() == 6


def test_questions_are_dragged_within_their_priority(owner, transfer):
    page = form_of(owner.get(url(transfer)))
    first, second = row_of(page, "rush-factor"), row_of(page, "safety")
    page |= {f"backlog-{first}-position": "1", f"backlog-{second}-position": "0"}

    answer = owner.post(url(transfer), page, follow=True)

    assert "Saved: the order." in text_of(answer)
    assert keys(transfer)[:2] == ["safety", "rush-factor"]


def test_several_questions_come_at_once(owner, transfer):
    lines = (
        "Who keeps the keys?\r\n\r\n  What does the safety of 1.17 hold?  \r\nWho keeps the keys?"
    )

    answer = owner.post(
        url(transfer), form_of(owner.get(url(transfer))) | {"more": lines}, follow=True
    )

    assert "Saved: 2 added." in text_of(answer)
    new = list(transfer.backlog.order_by("-position")[:2])[::-1]
    assert [(q.text, q.priority, q.origin) for q in new] == [
        ("Who keeps the keys?", "P1", "ADMIN"),
        ("What does the safety of 1.17 hold?", "P1", "ADMIN"),
    ]
    assert keys(transfer)[-3:-1] == ["who-keeps-the-keys", "what-does-the-safety-of-117-hold"]
    assert new[1].sources[0]["document"] == "reorder.py"


def test_what_is_there_word_for_word_is_not_added_again(owner, transfer):
    page = form_of(owner.get(url(transfer)))

    owner.post(url(transfer), page | {"more": QUESTIONS[0][2]})

    assert transfer.backlog.count() == 5


def test_keys_are_never_like_those_of_interviews(owner, transfer):
    page = form_of(owner.get(url(transfer)))

    owner.post(url(transfer), page | {"more": "Followup calls: who makes them?"})

    assert keys(transfer)[-2] == "q-followup-calls-who-makes-them"


def test_questions_are_deleted_and_stay_in_the_history(owner, transfer):
    page = form_of(owner.get(url(transfer)))

    answer = owner.post(
        url(transfer), page | {f"backlog-{row_of(page, 'safety')}-DELETE": "on"}, follow=True
    )

    assert "Saved: 1 deleted." in text_of(answer)
    assert keys(transfer) == ["rush-factor", "holidays", "small-orders", "recycled"]
    entry = bot_history(transfer)[0].entries[0]
    assert (entry.kind, "Question “Why must the safety" in entry.subject) == ("removed", True)


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("text", "  ", "This field is required"),
        ("text", "x" * 501, "at most 500 characters"),
        ("why", "x" * 501, "at most 500 characters"),
        ("priority", "P7", "Select a valid choice"),
        ("key", "followup-1", "those are for questions that come up in interviews"),
        ("key", "a b", "Use letters, digits"),
        ("key", "safety", "Two rows have the same key."),
    ],
)
def test_what_does_not_fit_is_said_and_nothing_is_stored(owner, transfer, field, value, says):
    page = form_of(owner.get(url(transfer)))
    n = row_of(page, "rush-factor")

    answer = owner.post(
        url(transfer), page | {f"backlog-{n}-{field}": value, "more": "Kept as typed?"}
    )

    assert says in text_of(answer)
    assert "Nothing was saved." in text_of(answer)
    assert "Kept as typed?" in text_of(answer)
    assert BacklogQuestion.history.count() == 5


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ("short?\n" + "x" * 501, "Line 2 is longer than 500 characters."),
        ("\n".join(f"What about {n}?" for n in range(196)), "at most 200 questions"),
    ],
)
def test_lines_that_do_not_fit_are_said(owner, transfer, more, says):
    page = form_of(owner.get(url(transfer)))

    assert says in text_of(owner.post(url(transfer), page | {"more": more}))
    assert transfer.backlog.count() == 5


def test_what_somebody_else_has_changed_meanwhile_stays(owner, transfer):
    page = form_of(owner.get(url(transfer)))
    other = transfer.backlog.get(key="safety")
    other.text = "Why 1.17, and not 1.1?"
    other.save()

    owner.post(url(transfer), page | {f"backlog-{row_of(page, 'holidays')}-why": "Mine."})

    assert transfer.backlog.get(key="safety").text == "Why 1.17, and not 1.1?"
    assert transfer.backlog.get(key="holidays").why == "Mine."


def test_what_somebody_else_has_changed_in_the_same_question_stays(owner, transfer):
    page = form_of(owner.get(url(transfer)))
    transfer.backlog.filter(key="safety").update(text="Why 1.17, and not 1.1?", priority="P1")

    owner.post(url(transfer), page | {f"backlog-{row_of(page, 'safety')}-why": "Mine."})

    safety = transfer.backlog.get(key="safety")
    assert (safety.text, safety.priority, safety.why) == ("Why 1.17, and not 1.1?", "P1", "Mine.")


def test_a_question_that_somebody_else_has_deleted_is_said(owner, transfer):
    page = form_of(owner.get(url(transfer)))
    n = row_of(page, "safety")
    question = transfer.backlog.get(key="safety")
    question.delete()

    answer = owner.post(url(transfer), page | {f"backlog-{n}-why": "Mine."})

    assert "Somebody has deleted this question" in text_of(answer)
    assert f"Somebody else has deleted “{question.text}”." in text_of(answer)
    assert "Mine." in text_of(answer)


def test_questions_of_another_bot_can_not_be_reached(owner, transfer):
    other = make_transfer_bot(documents=False, questions=[("x", "P1", "Theirs?", "")])
    page = form_of(owner.get(url(transfer)))
    n = row_of(page, "safety")

    owner.post(
        url(transfer),
        page | {f"backlog-{n}-id": str(other.backlog.get().pk), f"backlog-{n}-text": "Mine!"},
    )

    assert other.backlog.get().text == "Theirs?"


def test_questions_that_ask_for_the_same_are_pointed_out_and_stay(owner, transfer):
    page = form_of(owner.get(url(transfer)))
    again = "Could you tell me how you arrived at the rush factor of 1.35?"

    owner.post(url(transfer), page | {"more": again})

    told = text_of(owner.get(url(transfer) + "?part=alike"))
    assert "1 question may duplicate another" in told
    assert again in told
    assert transfer.backlog.filter(text=again).exists()


def test_two_hundred_questions_are_one_page_and_one_save(owner, django_assert_max_num_queries):
    questions = [(f"q-{n}", "P1", f"What does part {n} of the press need?", "") for n in range(200)]
    bot = make_transfer_bot(questions=questions)
    page = form_of(owner.get(url(bot)))
    page[f"backlog-{row_of(page, 'q-199')}-why"] = "Mine."

    with django_assert_max_num_queries(240):
        answer = owner.post(url(bot), page)

    assert answer.status_code == 302
    assert bot.backlog.get(key="q-199").why == "Mine."


def test_a_copy_has_backlog_summary_and_documents(transfer):
    transfer.backlog.filter(key="safety").update(origin="ANALYSIS")
    waiting = Document.objects.create(bot=transfer, name="new.txt", size=3, digest="d" * 64)
    DocumentFile.objects.create(document=waiting, content=b"New")

    copy = duplicate_bot(transfer)

    fields = ("key", "text", "priority", "origin", "why", "sources", "position")
    assert list(copy.backlog.values_list(*fields)) == list(transfer.backlog.values_list(*fields))
    assert copy.project_context.content["summary"].startswith("The shop calculates")
    prices = copy.documents.get(name="prices.xlsx")
    assert prices.content["thresholds"] == ["rush factor 1.35", "smallest order 48 €"]
    assert prices.parts.get().text == "The rush factor is 1.35."
    assert bytes(copy.documents.get(name="new.txt").file.content) == b"New"
    prices.delete()
    assert transfer.documents.count() == 3


def test_what_is_being_made_is_begun_anew_for_a_copy(transfer):
    document = transfer.documents.first()
    Document.objects.filter(pk=document.pk).update(
        status="running", claim="6f1c9a8e-2f0e-4c55-9d0c-4b6d3f4b8a11", attempts=3
    )

    copy = duplicate_bot(transfer).documents.get(name=document.name)

    assert (copy.status, copy.claim, copy.attempts) == (Job.Status.PENDING, None, 0)


def test_a_copy_s_summary_is_as_fresh_as_the_first_one_s(transfer):
    stale = duplicate_bot(transfer)
    assert is_stale(stale.project_context)
    write_summary(transfer, transfer.project_context.content["summary"])

    assert not is_stale(ProjectContext.objects.get(bot=duplicate_bot(transfer)))


def test_a_plan_is_told_by_questions_and_documents():
    material = {
        "summary": "S.",
        "documents": [{"name": "a.md", "kind": "markdown", "dive": {"purpose": "P.", "gaps": []}}],
        "questions": [
            {
                "key": "k",
                "text": "Why?",
                "priority": "P0",
                "origin": "ADMIN",
                "why": "",
                "sources": [
                    {"document": "a.md", "place": "lines 1–2", "text": "x"},
                    {"document": "b.md", "place": "", "text": ""},
                ],
            }
        ],
        "options": {"rounds": 7},
    }

    said = readable("knowledge_transfer", {"material": material})["material"]

    assert said["questions"] == [
        {
            "key": "k",
            "priority": "P0",
            "text": "Why?",
            "why": "",
            "sources": "a.md, lines 1–2\nb.md",
        }
    ]
    assert said["documents"] == [{"key": "a.md", "kind": "markdown", "purpose": "P."}]
    assert said["options"] == {"Rounds": 7}
