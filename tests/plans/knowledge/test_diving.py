"""Long documents are looked into by chunks; what is found becomes one, within bounds."""

import pytest

from llm.providers.base import Fault, ProviderError
from plans.models import DocumentPart
from plans.protocols.knowledge_transfer.analysis import deep_dive
from plans.protocols.knowledge_transfer.analysis.deep_dive import (
    AT_ONCE,
    CHUNK,
    LISTS,
    MOST_CHUNKS,
    merge_dives,
    split_into_chunks,
)
from plans.protocols.knowledge_transfer.analysis.statements import (
    LONGEST_ITEM,
    MOST_ITEMS,
    merge_statements,
    one_line,
    same_statement,
)
from tests.each import each
from tests.plans.knowledge.handing_over import DIVE, dive, read, says
from tests.scripted import Reply, scripted

LONG = "The rule of the {} is that nobody may print it before Monday.\n"


def long_text(characters: int) -> bytes:
    lines, size, number = [], 0, 0
    while size < characters:
        lines.append(LONG.format(f"number {number}"))
        size, number = size + len(lines[-1]), number + 1
    return "".join(lines).encode()


def parts(*texts):
    return [DocumentPart(number=n, place=f"page {n}", text=t) for n, t in enumerate(texts, 1)]


# -- chunks


def test_chunks_hold_everything_in_its_order_and_are_bounded():
    texts = [f"{n} " + "x" * (n * 37 % 8000) for n in range(60)]

    chunks = split_into_chunks(parts(*texts))

    assert "\n\n".join(chunks) == "\n\n".join(f"[page {n}]\n{t}" for n, t in enumerate(texts, 1))
    assert max(map(len, chunks)) <= CHUNK
    assert len(chunks) < 10


def test_a_part_larger_than_a_chunk_is_one_of_its_own():
    assert [len(one) > CHUNK for one in split_into_chunks(parts("a", "b" * 2 * CHUNK, "c"))] == [
        False,
        True,
        False,
    ]
    assert split_into_chunks([]) == []


# -- lists


def test_lists_take_turns_and_say_nothing_twice():
    first = ["Offers hold 21 days", " Offers\nhold 21 days. ", "", "\x00"]
    second = ["The offer holds 21 days", "Rush factor 1.35", "Rush factor 1.4"]

    assert merge_statements(first, second) == [
        "Offers hold 21 days",
        "Rush factor 1.35",
        "Rush factor 1.4",
    ]
    assert merge_statements([f"{n} sheets" for n in range(50)], ["the last"])[:2] == [
        "0 sheets",
        "the last",
    ]
    assert len(merge_statements([f"{n} sheets" for n in range(50)])) == MOST_ITEMS
    assert merge_statements() == []


@each(
    ("one", "other", "same"),
    [
        ("The smallest order is 48 €", "The smallest order is 48 €.", True),
        ("The smallest order is 48 €", "The smallest order is 84 €", False),
        ("The smallest order is 1,5 reams", "The smallest order is 1.5 reams", True),
        ("The smallest order is 1.5 reams", "The smallest order is 15 reams", False),
        ("Marta approves offers", "Paolo approves offers", False),
    ],
)
def test_what_says_the_same(one, other, same):
    assert same_statement(one, other) is same


def test_a_line_that_is_too_long_ends_visibly():
    assert one_line("word " * 200).endswith("word…")
    assert len(one_line("x" * 999)) == LONGEST_ITEM
    assert one_line("a\r\n b\t c") == "a b c"


def test_dives_become_one():
    found = merge_dives(
        [dive(" ", gaps=["a"]), dive("The rules.", gaps=["b"], people=["c"]), dive("More.")]
    )

    assert found["purpose"] == "The rules."
    assert (found["gaps"], found["people"], found["formulas"]) == (["a", "b"], ["c"], [])
    assert not any(merge_dives([]).values())
    assert set(found) == {"purpose", *LISTS}


# -- documents


@pytest.mark.django_db(transaction=True)
def test_a_long_document_is_looked_into_piece_by_piece_a_few_at_once(transfer, monkeypatch):
    running, most = 0, 0
    real = deep_dive.ask

    async def counted(*given):
        nonlocal running, most
        running += 1
        most = max(most, running)
        outcome = await real(*given)
        running -= 1
        return outcome

    monkeypatch.setattr(deep_dive, "ask", counted)
    scripted.reply(DIVE, *(Reply(dive(f"Piece {n}.", gaps=[f"gap {n}"]), 0.05) for n in range(6)))

    text = long_text(5 * CHUNK)
    row = read(transfer, content=text)

    asked = scripted.asked(DIVE)
    assert most == AT_ONCE
    assert len(asked) == 6
    assert max(len(one.messages[-1].text) for one in asked) < CHUNK + 1000
    assert sum(one.messages[-1].text.count("The rule of the") for one in asked) == text.count(b"\n")
    assert "Piece 3 of 6." in "".join(one.messages[-1].text for one in asked)
    assert len(row.content["gaps"]) == 6
    assert row.reason == ""


@pytest.mark.django_db(transaction=True)
def test_what_is_left_out_of_a_very_long_one_is_said(transfer):
    says(found=dive(people=["Marta"]))

    row = read(transfer, content=long_text(13 * CHUNK))

    assert len(scripted.asked(DIVE)) == MOST_CHUNKS
    assert row.content["people"] == ["Marta"]
    assert row.reason == "It is long: the model read the first 10 of its 16 pieces."


@pytest.mark.django_db(transaction=True)
def test_pieces_that_the_model_did_not_answer_are_counted(transfer):
    dead = ProviderError(Fault.BAD_REQUEST, "no")
    scripted.reply(DIVE, dead, dive(people=["Marta"]), dead)

    row = read(transfer, content=long_text(2 * CHUNK + 100))

    assert (row.status, row.content["made_by"]) == ("ready", "model")
    assert row.reason == "For 2 of 3 pieces the model gave no answer."


@pytest.mark.django_db(transaction=True)
def test_time_for_all_is_bounded(transfer, monkeypatch):
    monkeypatch.setattr(deep_dive, "SECONDS", 0.4)
    scripted.always(DIVE, Reply(dive(), delay=60))

    row = read(transfer, content=long_text(3 * CHUNK))

    assert (row.status, row.content["made_by"]) == ("ready", "rules")


@pytest.mark.django_db(transaction=True)
def test_a_model_that_says_too_much_is_cut_to_what_people_read(transfer):
    says(found=dive("p" * 5000, decisions=[f"{n} " + "d" * 5000 for n in range(500)]))

    row = read(transfer)

    assert len(row.content["purpose"]) == 600
    assert len(row.content["decisions"]) == MOST_ITEMS
    assert max(map(len, row.content["decisions"])) == LONGEST_ITEM


@pytest.mark.django_db(transaction=True)
def test_it_is_asked_in_the_bots_first_language(transfer):
    transfer.options = {"languages": ["it", "en"]}
    transfer.save()
    says()

    read(transfer)

    assert "In Italian." in scripted.asked(DIVE)[0].system


@pytest.mark.django_db(transaction=True)
def test_very_short_documents_have_a_point_too(transfer, settings):
    settings.LLM_PROVIDER = "offline"

    assert read(transfer, content=b"SAFETY = 1.17").content["points"] == [
        {"text": "SAFETY = 1.17", "place": "line 1"}
    ]
