"""A backlog in files: out and in again, alone and with its bot, and what is wrong with a file."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plans.jobs import Job
from plans.models import BacklogQuestion, Bot, ProjectContext
from plans.models.knowledge import MOST_QUESTIONS
from plans.portability.bots import apply_bot, bot_changes, bot_document
from plans.portability.documents import BacklogDocument, BotDocument
from plans.portability.formats import detect, write
from plans.portability.problems import BrokenDocument
from plans.portability.reader import read_backlog, read_bot
from plans.protocols.knowledge_transfer.backlog import (
    apply_backlog,
    backlog_changes,
    backlog_document,
)
from tests.each import each
from tests.examples import examples
from tests.plans.pages import form_of, text_of
from tests.plans.study_files import FULL, KEYS, TEXTS
from tests.transfers import make_transfer_bot

ROUNDS = settings(
    max_examples=examples(100), deadline=None, suppress_health_check=list(HealthCheck)
)
DEMO = Path(__file__).parents[2] / "plans/demo/documents/backlog.yaml"
OWN_KEYS = KEYS.filter(lambda key: not key.startswith(("followup-", "discovered-")))
WORDS = FULL.map(lambda text: " ".join(text.split())[:500].strip() or "x")


@st.composite
def backlogs(draw):
    questions = [
        {
            "key": key,
            "priority": draw(st.sampled_from(["P0", "P1", "P2"])),
            "question": draw(WORDS),
            "why": draw(TEXTS),
            "document": draw(st.sampled_from(["", "a.md", "a.md; b (2).xlsx", "=x.csv"])),
        }
        for key in draw(st.lists(OWN_KEYS, max_size=5, unique=True))
    ]
    return BacklogDocument.model_validate({"questions": questions})


@pytest.fixture
def transfer(db):
    return make_transfer_bot()


def url(bot, page="import_backlog"):
    return f"/admin/plans/bot/{bot.pk}/{page}/"


def keys(bot):
    return [question.key for question in backlog_document(bot).questions]


def problems(text, form=None):
    with pytest.raises(BrokenDocument) as error:
        read_backlog(text, form)
    return [str(problem) for problem in error.value.problems]


# -- out and in again


@pytest.mark.parametrize("form", ["csv", "yaml", "json"])
@ROUNDS
@given(document=backlogs())
def test_backlog_text(form, document):
    again = read_backlog(write(document, form), form)

    assert again == document


@pytest.mark.django_db
@settings(max_examples=examples(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(first=backlogs(), second=backlogs())
def test_backlog_rows(first, second):
    Bot.objects.all().delete()
    bot = make_transfer_bot(documents=False, questions=())

    apply_backlog(first, bot)
    assert backlog_changes(bot, first) == []
    apply_backlog(second, bot)

    assert backlog_changes(bot, second) == []
    assert sorted(keys(bot)) == sorted(part.key for part in second.questions)


def test_the_shipped_backlog_is_read(db):
    bot = make_transfer_bot(questions=())
    document = read_backlog(DEMO.read_bytes(), name=DEMO.name)

    assert len(document.questions) == 15
    assert document.questions[0].key == "rush-factor"
    apply_backlog(document, bot)
    assert bot.backlog.get(key="rush-factor").sources == [
        {"document": "prices.xlsx", "place": "“Prices”, A1:D9", "text": "The rush factor is 1.35."}
    ]


@each(
    ("text", "name", "form"),
    [
        ("question;why\nA?;b", "", "csv"),
        ("key,question\n,A?", "", "csv"),
        ("questions:\n- question: A?", "", "yaml"),
        ("key: x", "", "yaml"),
        ('{"questions": []}', "", "json"),
        ("question\nA?", "b.CSV", "csv"),
    ],
)
def test_formats_are_recognised(text, name, form):
    assert detect(text, name, ("key", "priority", "question", "why", "document")) == form


def test_excel_gets_no_formulas(transfer):
    transfer.backlog.filter(key="safety").update(text="=HYPERLINK(1)")

    rows = list(csv.DictReader(io.StringIO(write(backlog_document(transfer), "csv"), newline="")))

    assert rows[1]["question"] == "'=HYPERLINK(1)"
    assert (
        read_backlog(write(backlog_document(transfer), "csv"))
        .questions[1]
        .question.startswith("=HYP")
    )


# -- what is wrong with a file


@each(
    ("text", "says"),
    [
        ("key,question\na,\n", "line 2, question: may not be empty"),
        ("question,priority\nA?,P3\n", "line 2, priority: must be 'P0', 'P1' or 'P2'"),
        ("question,priority\nA?,P1\nB?,urgent\n", "line 3, priority: must be"),
        ("key,question\nfollowup-1,A?\n", "line 2, key: may not begin like the keys of"),
        ("key,question\na b,A?\n", "line 2, key: may hold only Latin letters"),
        ("key,question\na,A?\na,B?\n", "line 3, key: “a” is used by another question"),
        ("why\nx\n", "line 1: the column “question” is missing"),
        ("question,when\nA?,b\n", "line 1: there is no column “when”"),
        ("question,why\nA?\n", "line 2: 1 cells, but the heading has 2"),
        (f"question\n{'x' * 501}\n", "line 2, question: may have at most 500 characters"),
    ],
)
def test_problems_of_csv_name_line_and_column(text, says):
    assert any(problem.startswith(says) for problem in problems(text, "csv"))


@each(
    ("text", "says"),
    [
        ("questions:\n  - key: a\n", "line 2, questions[0].question: is missing"),
        ("questions:\n  - question: A?\n    priorty: P0\n", "did you mean “priority”?"),
        ("questions:\n  - question: A?\n    priority: 1\n", "line 3, questions[0].priority: must"),
        ("questions: A?\n", "line 1, questions: must be a list"),
        ("- question: A?\n", "line 1: must be a block of named fields, beginning with questions"),
        ("format: interviewsite/bot\n", "this file holds a bot, not a backlog"),
        ("", "There is nothing in it."),
        ("questions:\n  - question: &a A?\n    why: *a\n", "references (*name) are not used here"),
    ],
)
def test_problems_of_yaml_name_line_and_field(text, says):
    assert any(says in problem for problem in problems(text, "yaml"))


def test_too_many_questions_are_refused():
    text = "question\n" + "\n".join(f"What about {n}?" for n in range(MOST_QUESTIONS + 1))

    assert f"at most {MOST_QUESTIONS} entries" in problems(text, "csv")[0]


# -- into a bot, by the page


def show(owner, bot, text, **more):
    return owner.post(url(bot), {"text": text, "format": "", **more})


def test_an_import_is_shown_before_it_happens(owner, transfer):
    shown = show(owner, transfer, "key,priority,question\nsafety,P2,Why 1.17?\n,,Who keeps keys?\n")

    assert "Nothing has been changed yet." in text_of(shown)
    assert transfer.backlog.count() == 5
    answer = owner.post(url(transfer), form_of(shown), follow=True)
    assert answer.redirect_chain[0][0] == url(transfer, "backlog")
    assert transfer.backlog.get(key="safety").text == "Why 1.17?"
    assert transfer.backlog.get(key="safety").priority == "P2"
    new = transfer.backlog.get(key="who-keeps-keys")
    assert (new.priority, new.origin) == ("P1", "ADMIN")
    assert transfer.backlog.count() == 6


def test_questions_that_are_not_in_the_file_go_only_if_that_is_wished_for(owner, transfer):
    shown = show(owner, transfer, "question\nWho keeps the keys?\n", replace="on")
    assert "removed" in text_of(shown)

    owner.post(url(transfer), form_of(shown))

    assert keys(transfer) == ["who-keeps-the-keys"]


def test_a_file_that_makes_the_backlog_too_long_is_refused(owner, transfer):
    text = "question\n" + "\n".join(f"What about {n}?" for n in range(MOST_QUESTIONS - 4))

    page = text_of(show(owner, transfer, text))

    assert "The backlog would have 201 questions. The maximum is 200." in page
    assert "Nothing has been changed yet." in text_of(show(owner, transfer, text, replace="on"))


def test_what_was_changed_meanwhile_is_shown_anew(owner, transfer):
    shown = form_of(show(owner, transfer, "key,question\nsafety,Why 1.17?\n"))
    transfer.backlog.filter(key="safety").update(text="Another.")

    again = owner.post(url(transfer), shown)

    assert "Somebody else has changed it." in text_of(again)
    assert transfer.backlog.get(key="safety").text == "Another."


def test_problems_are_shown_and_nothing_is_imported(owner, transfer):
    page = text_of(show(owner, transfer, "question,priority\nA?,P9\nB?,\n"))

    assert "Nothing was imported. Fix 1 problem first" in page
    assert "line 2, priority" in page
    assert transfer.backlog.count() == 5


def test_a_question_without_a_key_is_known_by_its_words(owner, transfer):
    text = "question,why\nHow did you arrive at a rush factor of 1.35?,Because.\n"

    owner.post(url(transfer), form_of(show(owner, transfer, text)))

    assert transfer.backlog.count() == 5
    assert transfer.backlog.get(key="rush-factor").why == "Because."


def test_the_same_file_twice_changes_nothing(owner, transfer):
    mixed = "question,priority\nWho keeps keys?,P1\nWho may enter?,P0\n"
    owner.post(url(transfer), form_of(show(owner, transfer, mixed)))

    assert "Nothing to change" in text_of(show(owner, transfer, mixed))


def test_the_origin_and_the_places_of_a_question_stay(owner, transfer):
    place = {"document": "prices.xlsx", "place": "“Prices”, A2", "text": "1.35"}
    transfer.backlog.filter(key="rush-factor").update(origin="ANALYSIS", sources=[place])
    text = write(backlog_document(transfer), "csv").replace("How did you arrive", "How came you")

    owner.post(url(transfer), form_of(show(owner, transfer, text)))

    question = transfer.backlog.get(key="rush-factor")
    assert question.text.startswith("How came you")
    assert (question.origin, question.sources) == ("ANALYSIS", [place])


def test_documents_that_are_not_there_are_kept_by_name(transfer):
    text = "key,question,document\nrush-factor,Why is the rush factor 1.35?,mail.eml; prices.xlsx\n"

    apply_backlog(read_backlog(text), transfer)

    sources = transfer.backlog.get(key="rush-factor").sources
    assert [source["document"] for source in sources] == ["mail.eml", "prices.xlsx"]
    assert (sources[0]["place"], sources[1]["place"]) == ("", "“Prices”, A1:D9")


@pytest.mark.parametrize("form", ["csv", "yaml"])
def test_the_exported_file_comes_back_unchanged(owner, transfer, form):
    answer = owner.get(url(transfer, "export_backlog") + f"?format={form}")

    assert answer.headers["Content-Disposition"].endswith(f'-backlog.{form}"')
    document = read_backlog(answer.content, name=f"backlog.{form}")
    assert backlog_changes(transfer, document) == []
    assert keys(transfer) == [part.key for part in document.questions]


def test_another_format_is_not_there(owner, transfer):
    assert owner.get(url(transfer, "export_backlog") + "?format=pdf").status_code == 404


# -- with its bot


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_a_bot_carries_backlog_and_summary_but_no_documents(transfer, form):
    text = write(bot_document(transfer), form)

    document = read_bot(text, form)

    assert bot_changes(transfer, document) == []
    assert "0.985" not in text  # what only a deep dive says
    bot = apply_bot(document.model_copy(update={"slug": "elsewhere"}))
    assert keys(bot) == keys(transfer)
    assert bot.project_context.content["summary"].startswith("The shop calculates")
    assert bot.project_context.status == Job.Status.READY
    assert bot.backlog.get(key="rush-factor").sources == [
        {"document": "prices.xlsx", "place": "", "text": ""}
    ]
    assert not bot.documents.exists()


def test_a_bot_s_documents_stay_when_it_is_imported(transfer):
    document = bot_document(transfer)
    document.summary = "Other words."

    apply_bot(BotDocument.model_validate(document.model_dump()), transfer)

    assert transfer.documents.count() == 2
    context = ProjectContext.objects.get(bot=transfer)
    assert (context.content["summary"], context.edited) == ("Other words.", True)


def test_what_does_not_change_gets_no_new_version(transfer):
    before = BacklogQuestion.history.count()
    stored = ProjectContext.objects.get(bot=transfer).updated_at

    apply_bot(BotDocument.model_validate(bot_document(transfer).model_dump()), transfer)

    assert BacklogQuestion.history.count() == before
    assert ProjectContext.objects.get(bot=transfer).updated_at == stored


def test_other_kinds_have_no_backlog(db):
    text = "slug: a\ntitle: A\nbacklog:\n  - question: Why?\n"

    with pytest.raises(BrokenDocument) as error:
        read_bot(text, "yaml")

    assert "line 3, backlog: is nothing that a bot of the kind life_story has" in str(error.value)


def test_a_question_twice_in_a_bot_is_a_problem(db):
    text = "slug: a\ntitle: A\nprotocol: knowledge_transfer\nbacklog:\n" + 2 * (
        "  - key: a\n    question: Why?\n"
    )

    with pytest.raises(BrokenDocument) as error:
        read_bot(text, "yaml")

    assert "line 7, backlog[1].key: “a” is used by another question" in str(error.value)


def test_a_new_question_takes_no_key_of_another(owner, transfer):
    transfer.backlog.all().delete()
    transfer.backlog.create(key="q-001", text="من يملك المفاتيح؟")
    owner.post(url(transfer), form_of(show(owner, transfer, "question\nمن يدخل؟\n")))
    texts = set(transfer.backlog.values_list("text", flat=True))
    assert texts == {"من يدخل؟", "من يملك المفاتيح؟"}
