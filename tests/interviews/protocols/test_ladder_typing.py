"""Rules put what is said on the rungs where it belongs, and keep the top for values."""

import itertools
from collections.abc import Iterator

import pytest

from interviews.protocols.laddering.graph.types import Graph
from tests.each import each
from tests.interviews.protocols.ladder_typing import (
    LANGUAGES,
    PARTS,
    figures,
    printed,
    sentences,
    talk,
    talks,
    top_share,
)
from tests.ladder_files import methodologies

WAYS = methodologies()["means_end_chain"]
LEAST = {"tuned": 0.9, "held_out": 0.88, "afterwards": 0.7}  # of them stand where they belong
TALKS = [(language, name) for language in LANGUAGES for name in talks(language)]


@each("language", LANGUAGES)
def test_there_is_enough_to_go_by(language):
    tuned, *others = (sentences(language, part) for part in PARTS)
    every = [*tuned, *itertools.chain(*others)]

    assert len(every) >= 60
    assert all(len(part) * 3 >= len(tuned) for part in others)
    assert len({one.said for one in every}) == len(every)
    assert {one.ways for one in tuned} == set(methodologies())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", PARTS)
def test_most_stand_on_their_rung_and_few_on_the_top(language, part):
    found = figures(language, part)

    assert found.right >= LEAST[part], printed()
    assert found.top <= found.top_meant + 0.03, printed()


@pytest.mark.parametrize(("language", "name"), TALKS)
def test_a_whole_talk_isnt_carried_to_the_top(language, name):
    graph = talk(language, name)

    assert len(graph.nodes) >= 12
    assert top_share(graph) <= 0.15  # two of fifteen


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["reasons", "telling"])
def test_who_gives_reasons_climbs_three_rungs_and_more(language, name):
    assert max(map(len, climbs(talk(language, name)))) >= 3


def climbs(graph: Graph) -> Iterator[list[str]]:
    """All ways along what leads to what on which every step is a rung higher or more."""
    rung = {node.id: WAYS.types.index(node.type) for node in graph.nodes}
    ahead = [[node.id] for node in graph.nodes]
    while ahead:
        way = ahead.pop()
        yield way
        ahead += [
            [*way, edge.target]
            for edge in graph.edges
            if edge.source == way[-1] and rung[edge.target] > rung[way[-1]]
        ]
