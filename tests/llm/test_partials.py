"""What can be read out of a reply while it is being written."""

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.calls.partial import Draft
from llm.gateway import ask
from llm.providers.base import Fault, ProviderError
from llm.tasks.call_context import CallContext
from tests.fake_provider import FakeProvider
from tests.llm.samples import GOOD, SENTENCE, VERDICT, Question, Verdict, steady
from tests.scripted import Reply, scripted

Seen = list[Mapping[str, Any]]
GOOD_VERDICT = Verdict.model_validate(GOOD)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


def fed(text: str, cuts: list[int]) -> Seen:
    """What a draft tells when it gets the text in pieces."""
    told: Seen = []
    draft = Draft(Verdict, told.append)
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    for a, b in pairwise(places):
        draft.feed(text[a:b])
    return told


@steady
@given(
    st.dictionaries(st.text(min_size=1, max_size=8), VALUES, min_size=1, max_size=5),
    st.lists(st.integers(0, 10_000), max_size=30),
    st.booleans(),
)
def test_pieces_of_any_size_end_in_the_object(
    value: dict[str, Any], cuts: list[int], ascii_only: bool
) -> None:
    seen = fed(json.dumps(value, ensure_ascii=ascii_only), cuts)
    assert seen[-1] == value
    for one in seen:
        assert list(one) == list(value)[: len(one)]  # fields come in order
        for name in list(one)[:-1]:
            assert one[name] == value[name]  # and whole, but for the last


@steady
@given(st.text(max_size=200), st.lists(st.integers(0, 500), max_size=10))
def test_no_text_makes_it_fail(text: str, cuts: list[int]) -> None:
    fed(text, cuts)
    fed('{"text": "' + text, cuts)


def test_strings_grow(subject: CallContext) -> None:
    seen = fed('{"text": "Hello there"}', [13, 17])
    assert seen == [{"text": "Hel"}, {"text": "Hello t"}, {"text": "Hello there"}]


def test_fences_and_prose_around_it() -> None:
    seen = fed('Sure!\n```json\n{"a": 1}\n```\nBye', list(range(40)))
    assert seen[-1] == {"a": 1}


def test_text_grows_and_says_so_only_then() -> None:
    told: Seen = []
    draft = Draft(str, told.append)
    for piece in ("\n ", "He", "", "llo"):
        draft.feed(piece)
    assert told == [{"text": "He"}, {"text": "Hello"}]


async def test_partials_arrive_in_order(
    wire: str, fake: FakeProvider, subject: CallContext
) -> None:
    seen: Seen = []
    fake.reply("Verdict", GOOD)
    await ask(VERDICT, Question(), subject, seen.append)
    assert seen[-1] == GOOD
    lengths = [len(str(one.get("text", ""))) for one in seen]
    assert lengths == sorted(lengths)
    assert len(set(lengths)) > 5


async def test_text_arrives_under_its_key(
    wire: str, fake: FakeProvider, subject: CallContext
) -> None:
    seen: Seen = []
    fake.reply("", "A whole sentence.")
    await ask(SENTENCE, Question(), subject, seen.append)
    assert seen[-1] == {"text": "A whole sentence."}
    assert len(seen) > 3


async def test_a_dropped_attempt_is_taken_back(
    wire: str, fake: FakeProvider, subject: CallContext
) -> None:
    seen: Seen = []
    fake.reply("Verdict", GOOD, GOOD)
    fake.queue("cut:16")
    await ask(VERDICT, Question(), subject, seen.append)
    reset = seen.index({})
    assert 0 < reset < len(seen) - 1
    assert {} not in seen[reset + 1 :]
    assert seen[-1] == GOOD


async def test_so_is_one_that_ends_in_the_fallback(subject: CallContext) -> None:
    seen: Seen = []
    broken = Reply('{"text": "half', after=ProviderError(Fault.BAD_REQUEST))
    scripted.reply(VERDICT.name, broken)
    await ask(VERDICT, Question(), subject, seen.append)
    assert seen == [{"text": "half"}, {}]


async def test_and_one_that_is_repaired(subject: CallContext) -> None:
    seen: Seen = []
    scripted.reply(VERDICT.name, '{"text": "no more"}', GOOD_VERDICT)
    await ask(VERDICT, Question(), subject, seen.append)
    assert seen == [{"text": "no more"}, {}, GOOD]


async def test_a_fault_before_the_first_word_takes_nothing_back(subject: CallContext) -> None:
    seen: Seen = []
    scripted.reply(VERDICT.name, ProviderError(Fault.OVERLOADED), GOOD_VERDICT)
    await ask(VERDICT, Question(), subject, seen.append)
    assert seen == [GOOD]


async def test_a_mistake_of_the_listener_is_not_hidden(subject: CallContext) -> None:
    def listener(partial: Mapping[str, Any]) -> None:
        raise KeyError("mine")

    scripted.always(VERDICT.name, GOOD_VERDICT)
    for _ in range(7):  # nor held against the provider
        with pytest.raises(KeyError):
            await ask(VERDICT, Question(), subject, listener)
    assert (await ask(VERDICT, Question(), subject)).source == "model"


def test_nobody_listening_costs_nothing() -> None:
    draft = Draft(Verdict, None)
    draft.feed('{"text": "x"}')
    draft.drop()
