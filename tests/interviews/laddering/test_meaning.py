"""Which texts mean the same, and which elements a text speaks of."""

from pathlib import Path

from interviews.protocols.laddering.graph.similarity import find_elements, same_meaning
from llm.tasks.yaml_files import read_yaml_file
from plans.protocols.laddering.schema.concept import Element
from tests.each import each


def labelled(name: str) -> dict[str, dict[str, list[list[str]]]]:
    """Pairs of texts by language, those that mean the same and those that don't."""
    return read_yaml_file(Path(__file__).with_name(name))


PAIRS, HELD_OUT = labelled("meanings.yaml"), labelled("meanings_held_out.yaml")
LEAST = {"en": 0.94, "it": 0.77, "ru": 0.88}  # of those that mean the same, how many are found


@each("language", PAIRS)
def test_what_differs_is_never_taken_for_the_same(language: str):
    assert [pair for pair in PAIRS[language]["different"] if same_meaning(*pair)] == []


@each("language", PAIRS)
def test_most_of_what_means_the_same_is_found(language: str):
    pairs = PAIRS[language]["same"]

    assert sum(same_meaning(*pair) for pair in pairs) / len(pairs) >= LEAST[language]


@each("pair", [p for kinds in PAIRS.values() for ps in kinds.values() for p in ps])
def test_which_comes_first_does_not_matter(pair: list[str]):
    assert same_meaning(*pair) == same_meaning(*reversed(pair))


def test_on_pairs_that_nothing_was_tuned_on():
    alike = [pair for kinds in HELD_OUT.values() for pair in kinds["same"]]
    apart = [pair for kinds in HELD_OUT.values() for pair in kinds["different"]]

    assert sum(same_meaning(*pair) for pair in alike) / len(alike) >= 0.83  # 15 of 18
    assert sum(same_meaning(*pair) for pair in apart) / len(apart) <= 0.042  # 1 of 24


def test_nothing_means_nothing():
    assert not same_meaning("", "?!")


ELEMENTS = [
    Element(id="light", label="warm light", aliases=("soft light", "luce calda", "тёплый свет")),
    Element(id="price", label="price", aliases=("cost", "prezzo", "цена")),
    Element(id="ease", label="ease of use"),
]


@each(
    ("text", "expected"),
    [
        ("Warm light", ("light",)),  # exact but for case
        ("the soft light in the evening", ("light",)),  # an alias within a longer text
        ("lights that are warm", ("light",)),  # with other words between
        ("a warm kitchen and a cold light", ()),
        ("the light is warm", ("light",)),  # the same words in another order
        ("its warm lights", ("light",)),  # inflected
        ("the prices of it", ("price",)),
        ("la luce calda la sera", ("light",)),
        ("из-за цены", ("price",)),
        ("низкая цена и теплый свет", ("light", "price")),
        ("a prize", ()),
        ("light weight", ()),
        ("easy to use", ("ease",)),
        ("", ()),
    ],
)
def test_a_text_speaks_of_the_elements_that_it_names(text: str, expected: tuple[str, ...]):
    assert find_elements(text, ELEMENTS) == expected
