"""Duplicates by meaning, with a table of vectors in the encoder's place.

What the real one does is measured by `python -m tests.plans.measure_similarity --meaning`.
"""

import asyncio
import logging
import threading
import time

import pytest

from interviewsite.checks import encoder_of_meaning
from plans import meaning
from plans.meaning import Meaning
from plans.similarity import alike

VECTORS = {
    "": (0.0, 1.0),
    "What gets you out of bed?": (1.0, 0.0),
    "What is your source of strength?": (0.9, 0.436),
    "Which street did you live in?": (0.5, 0.866),
    "How was your first day there?": (1.0, 0.0),
    "How was your last day there?": (1.0, 0.0),
    "Что даёт вам силы?": (1.0, 0.0),
    "Откуда у вас силы?": (1.0, 0.0),
}
BED, ENERGY, STREET, FIRST, LAST, POWER, POWERS = list(VECTORS)[1:]


@pytest.fixture
def encoder():
    return Meaning(lambda: VECTORS.__getitem__)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (BED, ENERGY, True),
        (BED, STREET, False),
        (FIRST, LAST, False),  # the word lists know better
        (POWER, POWERS, False),  # letters that the encoder does not read
        (BED, POWER, False),
    ],
)
def test_near_vectors_mean_the_same_unless_the_words_say_otherwise(encoder, a, b, same):
    assert encoder.alike(a, b) is encoder.alike(b, a) is same


def test_it_finds_what_the_words_don_t_tell():
    assert not alike(BED, ENERGY)


async def test_the_first_that_means_the_same(encoder):
    assert await encoder.first_alike(BED, [STREET, ENERGY, BED]) == 1
    assert await encoder.first_alike(BED, [STREET]) is None
    assert await encoder.first_alike(BED, []) is None
    assert await encoder.first_alike("", [ENERGY]) is None


async def test_it_is_loaded_once_and_asked_once_for_each_text():
    asked, loaded = [], []

    def load():
        loaded.append(threading.current_thread().name)
        return lambda text: asked.append(text) or VECTORS[text]

    encoder = Meaning(load)
    encoder.begin_loading()
    for _again in range(3):
        await encoder.first_alike(BED, [STREET, ENERGY])
    assert [name.split("_")[0] for name in loaded] == ["meaning"]
    assert sorted(asked) == sorted(["", BED, STREET, ENERGY])


async def test_a_fault_costs_the_verdict_only_and_is_logged_once(caplog):
    asked = []

    def broken(text):
        asked.append(text)
        raise RuntimeError("out of memory")

    encoder = Meaning(lambda: broken)
    with caplog.at_level(logging.ERROR, "plans.meaning"):
        for _again in range(3):
            assert await encoder.first_alike(BED, [ENERGY, STREET]) is None
    assert len(caplog.records) == len(asked) == 1


async def test_who_waits_too_long_goes_on_without_and_has_it_the_next_time(monkeypatch):
    loading = threading.Event()

    def load():
        loading.wait(5)
        return VECTORS.__getitem__

    encoder = Meaning(load)
    monkeypatch.setattr(meaning, "PATIENCE", 0.05)
    began = time.perf_counter()
    assert await encoder.first_alike(BED, [ENERGY]) is None
    assert time.perf_counter() - began < 1
    loading.set()
    monkeypatch.setattr(meaning, "PATIENCE", 5)
    assert await encoder.first_alike(BED, [ENERGY]) == 0


async def test_a_slow_encoder_does_not_hold_up_others():
    def slow(text):
        time.sleep(0.1)
        return VECTORS[text]

    encoder = Meaning(lambda: slow)
    found = asyncio.ensure_future(encoder.first_alike(BED, [ENERGY]))
    ticks = 0
    while not found.done():
        await asyncio.sleep(0.01)
        ticks += 1
    assert ticks > 3
    assert found.result() == 0


def test_it_is_off_unless_switched_on(settings):
    assert meaning.in_use() is None
    assert encoder_of_meaning() == []


@pytest.mark.parametrize("there", [True, False])
def test_switched_on_without_the_part_it_is_refused_at_start(settings, monkeypatch, there):
    settings.DUPLICATES_BY_MEANING = True
    monkeypatch.setattr(meaning, "PACKAGE", "json" if there else "no_such_package")
    found = encoder_of_meaning()
    assert [problem.id for problem in found] == ["interviewsite.E004"] * (not there)
    assert all("pip install" in problem.hint for problem in found)
