"""The layered layout of graphs, without a page."""

import re
from itertools import combinations, product

from interviews.protocols.laddering.admin.graph_layout import BOX_HEIGHT, BOX_WIDTH, WIDTH, lay_out
from tests.each import each

RUNGS = {f"{rung}{place}": rung for rung, place in product(range(5), range(12))}


def chains(several: int) -> list[tuple[str, str]]:
    """So many ladders from the lowest rung to the highest."""
    return [(f"{rung}{n}", f"{rung + 1}{n}") for n, rung in product(range(several), range(4))]


@each(
    "edges",
    [
        [],
        chains(12),
        [(f"{r}{n}", f"{r + 1}{n * 7 % 12}") for r, n in product(range(4), range(12))],
        [(f"0{n}", f"4{n // 2}") for n in range(12)] + chains(6),
        [("00", "01"), ("01", "00"), ("40", "00"), ("00", "40"), ("20", "21")],
    ],
)
def test_boxes_stand_in_their_rows_apart_and_inside(edges):
    layout = lay_out(RUNGS, edges)
    assert set(layout.nodes) == set(RUNGS)
    for name, (x, y) in layout.nodes.items():
        assert (RUNGS[name], y) in layout.rows
        assert BOX_WIDTH / 2 <= x <= layout.width - BOX_WIDTH / 2
        assert BOX_HEIGHT / 2 <= y <= layout.height - BOX_HEIGHT / 2
    for (x, y), (x2, y2) in combinations(layout.nodes.values(), 2):
        assert y != y2 or abs(x - x2) >= BOX_WIDTH
    assert len(layout.paths) == len(edges)
    assert all(re.fullmatch(r"M[\d. -]+([CV][\d. -]+)+", path) for path in layout.paths)


def test_a_chain_stands_upright():
    layout = lay_out(RUNGS, chains(3))
    for chain in range(3):
        assert len({layout.nodes[f"{rung}{chain}"][0] for rung in range(5)}) == 1


def test_rows_are_ordered_so_that_edges_do_not_cross():
    edges = [(f"0{n}", f"1{11 - n}") for n in range(12)] + [("00", f"1{n}") for n in range(12)]
    nodes = lay_out(RUNGS, edges).nodes
    leaves = [(nodes[f"0{n}"][0], nodes[f"1{11 - n}"][0]) for n in range(1, 12)]
    assert all((a < c) == (b < d) for (a, b), (c, d) in combinations(leaves, 2))


def test_connected_parts_fill_shelves_as_wide_as_a_page():
    layout = lay_out(RUNGS, chains(12))
    assert layout.width == WIDTH
    assert len(layout.rows) == 15


def test_the_same_graph_is_always_drawn_the_same():
    assert lay_out(RUNGS, chains(5)) == lay_out(RUNGS, chains(5))


def test_an_edge_over_rows_passes_between_boxes():
    rungs = {"a": 0, "b": 1, "c": 2}
    layout = lay_out(rungs, [("a", "b"), ("b", "c"), ("a", "c")])
    passing = float(re.findall(r"[CV ]([\d.]+) [\d.]+V", layout.paths[2])[0])
    assert abs(passing - layout.nodes["b"][0]) > BOX_WIDTH / 2
