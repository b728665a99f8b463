"""Whatever the bytes: text within bounds or `Unreadable`, and nothing else."""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plans.documents import Unreadable, limits
from plans.documents.parser import parse
from tests.examples import examples
from tests.plans.documents.samples import GOOD

NAMES = st.sampled_from(sorted(GOOD))
SECONDS = 3
several = settings(
    max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def try_to_read(name: str, content: bytes) -> None:
    started = time.process_time()
    try:
        document = parse(name, content)
    except Unreadable as error:
        assert str(error)
    else:
        assert 0 < len(document.parts) <= limits.PARTS
        assert sum(len(part.text) for part in document.parts) <= limits.CHARACTERS
        assert type(document).model_validate_json(document.model_dump_json()) == document
    assert time.process_time() - started < SECONDS


@several
@given(NAMES, st.binary(max_size=2000))
def test_random_bytes(name, content):
    try_to_read(name, content)


@several
@given(NAMES, st.text(max_size=500), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_random_text(name, text, encoding):
    try_to_read(name, text.encode(encoding, "replace"))


@several
@given(NAMES, st.data())
def test_files_cut_anywhere(name, data):
    content = GOOD[name]
    try_to_read(name, content[: data.draw(st.integers(0, len(content)))])


@several
@given(NAMES, st.data())
def test_files_with_bytes_changed(name, data):
    content = bytearray(GOOD[name])
    places = st.integers(0, len(content) - 1)
    for place in data.draw(st.lists(places, min_size=1, max_size=8)):
        content[place] = data.draw(st.integers(0, 255))
    try_to_read(name, bytes(content))


@pytest.mark.parametrize("name", ["notes.txt", "notes.md", "run.py", "tiers.csv"])
@pytest.mark.parametrize(
    "piece", ["[", "> ", "# ", "- ", '"', ",", "\n", "`", "<!--", "\t", "a\n\n"]
)
def test_the_same_piece_over_and_over(name, piece):
    try_to_read(name, (piece * (60_000 // len(piece)) + "x").encode())
