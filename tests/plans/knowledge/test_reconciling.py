"""Drafted questions join the backlog: none twice, none against a person's will."""

import pytest
from django.db import transaction

from plans.models import BacklogQuestion
from plans.models.knowledge import MOST_QUESTIONS, validate_own_key
from plans.protocols.knowledge_transfer.analysis import drafts as question_rules
from plans.protocols.knowledge_transfer.analysis.drafts import (
    LONGEST,
    MOST_DRAFTED,
    UsableQuestion,
    reconcile,
    usable_questions,
    warm_similarity_cache,
)
from tests.plans.knowledge.handing_over import question
from tests.transfers import make_transfer_bot

pytestmark = pytest.mark.django_db
WHY = "How did you arrive at a rush factor of 1.35?"
SAME = "How did you get to the rush factor of 1.35?"
OTHER = "What happened with the paper R-90-BLUE?"
PAGE, LINES = ("prices.xlsx", "“Prices”, A1:D9"), ("reorder.py", "lines 1–20")


@pytest.fixture
def bot():
    """One with documents and an empty backlog."""
    return make_transfer_bot(questions=())


@pytest.fixture
def asked(bot):
    """One question that an admin wrote."""
    return BacklogQuestion.objects.create(bot=bot, key="rush", text=WHY, position=7)


def texts(bot):
    return [row.text for row in bot.backlog.all()]


def place(name="prices.xlsx", where="page 1"):
    return {"document": name, "place": where, "text": "…"}


# -- what of a model's words is usable


def test_the_most_urgent_come_first_and_have_real_sources(bot):
    found = usable_questions(
        bot,
        [
            question("Why 1.17?", "P2", "", LINES),
            question(OTHER, " p0 ", "A mail is missing.", ("nowhere.pdf", "page 9")),
            question(WHY, "urgent", "Nothing says why.", PAGE, ("prices.xlsx", "page 400")),
        ],
    )

    assert [(one.priority, one.text) for one in found] == [
        ("P0", OTHER),
        ("P1", WHY),
        ("P2", "Why 1.17?"),
    ]
    assert [one["document"] for one in found[1].sources] == ["prices.xlsx"]
    assert found[1].sources[0]["text"] == "The rush factor is 1.35."
    assert found[0].sources == ()
    assert found[2].sources[0]["place"] == "lines 1–20"


def test_questions_with_one_meaning_become_one_with_all_sources(bot):
    first, second = question(WHY, "P1", "First.", PAGE), question(SAME, "P0", "Second.", LINES)

    (one,) = usable_questions(bot, [first, second])

    assert (one.text, one.priority, one.why) == (SAME, "P0", "Second.")
    assert {source["document"] for source in one.sources} == {"prices.xlsx", "reorder.py"}


@pytest.mark.parametrize(
    "text", ["", "  ", "?!", "1.35", "\x00", "x" * (LONGEST + 1), "word " * 200]
)
def test_what_is_no_question_is_left_out(bot, text):
    assert usable_questions(bot, [question(text), question(WHY)])[0].text == WHY
    assert len(usable_questions(bot, [question(text)])) == 0


def test_five_hundred_questions_are_forty(bot):
    many = [question(f"What does the lever {n} do to machine {n * 7}?", "P2") for n in range(199)]
    many += [question(OTHER, "P0")] + many * 2

    found = usable_questions(bot, many)

    assert len(found) == MOST_DRAFTED
    assert found[0].text == OTHER


# -- into the backlog


def test_new_ones_stand_at_the_end_with_readable_keys(bot, asked):
    left = reconcile(
        bot,
        [
            UsableQuestion(
                "What does the Correction of 0.985 make up for?", "P0", "Why.", (place(),)
            ),
            UsableQuestion("Discovered defects: who is told about them?"),
            UsableQuestion("Почему именно по четвергам машины меняются заказами?"),
            UsableQuestion("質問は何ですか"),
        ],
    )

    rows = list(bot.backlog.all())
    assert left == 0
    assert [row.key for row in rows] == [
        "rush",
        "what-does-the-correction-of-0985-make",
        "q-discovered-defects-who-is-told-about",
        "pochemu-imenno-po-chetvergam-mashiny",
        "q-001",
    ]
    for row in rows:
        validate_own_key(row.key)
    assert [row.position for row in rows] == [7, 8, 9, 10, 11]
    assert {row.origin for row in rows[1:]} == {"ANALYSIS"}
    assert (rows[1].priority, rows[1].why, rows[1].sources) == ("P0", "Why.", [place()])
    assert rows[1].history.count() == 1


def test_one_that_is_there_only_gets_the_sources(bot, asked):
    reconcile(bot, [UsableQuestion(SAME, "P0", "Otherwise.", (place(), place()))])
    reconcile(bot, [UsableQuestion(SAME, "P0", "Otherwise.", (place(), place(where="page 2")))])
    sources = [place(where=f"page {n}") for n in range(3, 9)]
    reconcile(bot, [UsableQuestion(WHY, sources=tuple(sources))])

    row = bot.backlog.get()
    assert (row.text, row.priority, row.why, row.origin) == (WHY, "P1", "", "ADMIN")
    assert [source["place"] for source in row.sources] == ["page 1", "page 2", "page 3"]


def test_nothing_new_leaves_no_trace(bot, asked):
    before = asked.history.count()

    reconcile(bot, [UsableQuestion(SAME)])

    assert asked.history.count() == before


@pytest.mark.parametrize("text", [WHY, SAME])
def test_one_that_a_person_has_taken_out_stays_out(bot, asked, text):
    asked.delete()

    assert reconcile(bot, [UsableQuestion(text), UsableQuestion(OTHER)]) == 0

    assert texts(bot) == [OTHER]


def test_one_that_a_person_has_reworded_does_not_come_back(bot, asked):
    asked.text = "What must the surcharge for urgent jobs cover?"
    asked.save()

    reconcile(bot, [UsableQuestion(SAME, sources=(place(),))])

    assert texts(bot) == ["What must the surcharge for urgent jobs cover?"]
    assert bot.backlog.get().sources == [place()]


def test_one_that_was_taken_out_and_written_again_is_there(bot, asked):
    asked.delete()
    BacklogQuestion.objects.create(bot=bot, key="again", text=WHY)

    reconcile(bot, [UsableQuestion(SAME, sources=(place(),))])

    assert bot.backlog.get().sources == [place()]


def test_what_another_bot_had_is_none_of_this_ones_business(bot):
    other = make_transfer_bot(questions=(("rush", "P0", WHY, ""),))
    other.backlog.get().delete()

    reconcile(bot, [UsableQuestion(WHY)])

    assert texts(bot) == [WHY]


def test_keys_of_those_taken_out_are_not_given_again(bot):
    reconcile(bot, [UsableQuestion("Which of the customers with a framework agreement pay late?")])
    key = bot.backlog.get().key
    bot.backlog.all().delete()

    reconcile(
        bot, [UsableQuestion("Which of the customers with a framework of mine print at night?")]
    )

    assert bot.backlog.get().key == f"{key}-2"


def test_a_full_backlog_takes_no_more_and_says_how_many(bot):
    for n in range(MOST_QUESTIONS - 1):
        BacklogQuestion.objects.create(bot=bot, key=f"k{n}", text=f"What is lever {n} for?")

    left = reconcile(
        bot, [UsableQuestion(OTHER), UsableQuestion(WHY), UsableQuestion("What is lever 17 for?")]
    )

    assert left == 1
    assert bot.backlog.count() == MOST_QUESTIONS
    assert OTHER in texts(bot)


def test_what_was_compared_beforehand_is_not_compared_again(bot, asked, monkeypatch):
    asked.text = "What must the surcharge for urgent jobs cover?"
    asked.save()
    new = [UsableQuestion(SAME, sources=(place(),)), UsableQuestion(OTHER)]
    warm_similarity_cache(bot, new)
    counted = []
    monkeypatch.setattr(question_rules, "alike", lambda a, b: counted.append((a, b)))

    reconcile(bot, new)

    assert counted == []
    assert texts(bot) == [asked.text, OTHER]
    assert bot.backlog.get(key="rush").sources == [place()]


def test_all_or_nothing(bot):
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        reconcile(bot, [UsableQuestion(WHY)])
        raise ZeroDivisionError

    assert texts(bot) == []
