"""Where a question comes from: places that exist, the best first, quickly."""

import time

import pytest
import yaml

from plans.models import DocumentPart
from plans.protocols.knowledge_transfer.analysis.sources import (
    LONGEST,
    PlaceMatch,
    SourceQuery,
    best_places,
    excerpt,
    sources_of,
    weights_of,
    words_of,
)
from tests.plans.knowledge.handing_over import DEMO, read
from tests.transfers import make_document, make_transfer_bot


def sources_for(bot, text: str) -> list[dict[str, str]]:
    return sources_of(bot, [SourceQuery(text)])[0]


@pytest.fixture(autouse=True)
def offline(settings):
    settings.LLM_PROVIDER = "offline"


# -- ranking


def test_words_are_compared_by_their_beginnings_and_numbers_as_they_are():
    words = words_of("What does the Correction of 0,985 on offers above 5,000 € correct? Ёлки")

    assert words == {"correc", "0985", "5000", "offers", "above", "елки"}


def test_rare_words_weigh_more_and_what_shares_too_little_is_left_out():
    texts = ["Paper for Monday", "Paper for the rush factor", "Paper", "Paper and invoices"]
    hits = [PlaceMatch(n, words_of(text)) for n, text in enumerate(texts)]
    weights = weights_of(hits, len(hits))

    assert best_places(words_of("Which paper has a rush factor?"), hits, weights) == [1]
    assert best_places(words_of("Nothing shared"), hits, weights) == []
    assert best_places(frozenset(), hits, weights) == []
    assert best_places(words_of("paper"), hits, weights, 2) == [0, 1]
    assert best_places(words_of("paper"), [], {}) == []


def test_an_excerpt_is_where_the_words_stand():
    lines = [f"Line {n} says nothing of interest at all." for n in range(100)]
    lines[70] = "The rush factor covers the night shift."
    text = "\n".join(lines)

    found = excerpt(text, {"rush": 2.0, "factor": 1.0})

    assert "The rush factor covers the night shift." in found
    assert len(found) <= LONGEST
    assert excerpt("short", {}) == "short"
    assert len(excerpt("x" * 5000, {"rush": 1.0})) == LONGEST
    assert found.startswith("Line 6")
    assert found.endswith("…")


# -- rows


@pytest.mark.django_db(transaction=True)
def test_the_demos_questions_find_their_documents(transfer):
    for path in sorted(DEMO.glob("*.[!y]*")):
        read(transfer, path.name, path.read_bytes())
    questions = yaml.safe_load((DEMO / "backlog.yaml").read_text("utf-8"))["questions"]

    right = 0
    for question in questions:
        found = sources_for(transfer, question["question"])
        assert 0 < len(found) <= 3
        right += question["document"] == found[0]["document"]

    assert right >= len(questions) - 1


@pytest.mark.django_db
def test_named_places_come_first_and_only_those_that_exist():
    bot = make_transfer_bot(questions=())
    text = "How did you arrive at a rush factor of 1.35?"
    wanted = [
        SourceQuery(text, (("PRICES.xlsx", " “Prices”, A1:D9 "),)),
        SourceQuery(text, (("prices.xlsx", "page 99"), ("prices.xlsx", ""))),
        SourceQuery(text, (("invented.pdf", "page 1"),)),
        SourceQuery("Who waters the plants?", (("reorder.py", "lines 1–20"),)),
        SourceQuery("Who waters the plants?", (("reorder.py", "lines 98–99"),)),
    ]

    found = sources_of(bot, wanted)

    price = {
        "document": "prices.xlsx",
        "place": "“Prices”, A1:D9",
        "text": "The rush factor is 1.35.",
    }
    assert found[:3] == [[price]] * 3
    assert [one["place"] for one in found[3]] == ["lines 1–20"]
    assert found[4] == []
    assert sources_of(bot, []) == []


@pytest.mark.django_db
def test_other_bots_documents_are_never_named(transfer):
    make_transfer_bot()

    assert sources_for(transfer, "How did you arrive at a rush factor of 1.35?") == []


@pytest.mark.django_db
def test_three_thousand_parts_are_ranked_in_time(transfer):
    document = make_document(transfer, "long.txt", {})
    text = "The press of number {} prints {} sheets a day and nobody knows the reason for it. " * 8
    DocumentPart.objects.bulk_create(
        DocumentPart(document=document, number=n, place=f"page {n}", text=text.format(*[n] * 16))
        for n in range(1, 3001)
    )
    started = time.process_time()

    found = sources_for(transfer, "Why does the press of number 2741 print so many sheets?")

    assert time.process_time() - started < 2
    assert found[0]["place"] == "page 2741"
    assert len(found[0]["text"]) <= LONGEST


@pytest.mark.django_db
def test_words_of_no_language_do_no_harm(transfer):
    make_document(
        transfer, "a.txt", {"points": [{"text": "報告書を読む " * 99, "place": "page 1"}]}
    )

    for text in ("", "???", "報告書", "\x00", "1.35", "(" * 999, "a" * 10_000):
        assert isinstance(sources_for(transfer, text), list)
