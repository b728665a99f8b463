"""On which rung rules put what each labelled answer says first, as a table.

    python -m tests.interviews.protocols.ladder_typing

Rules were tuned on the first part of the sentences; the second one was held out, and the last one
written once they stood, about other things and in less common words. `right` is the share of
labelled things found that stand on their rung, `top` the share of all nodes on the highest one,
`top meant` what that share should be. Below are whole talks without a model: how many nodes, the
share on the highest rung, the longest chain, and how many stand on each rung.
With --wrong it lists what is wrong in the first part.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interviewsite.settings")
django.setup()

from interviews.protocols.laddering.graph.measures import chain_lengths  # noqa: E402
from interviews.protocols.laddering.graph.types import Graph  # noqa: E402
from interviews.protocols.laddering.rules.extraction import Question, extract  # noqa: E402
from llm.tasks.yaml_files import read_yaml_file  # noqa: E402
from plans.protocols.laddering.schema.methodology import Methodology  # noqa: E402
from tests.interviews.protocols.laddering import Laddering, material  # noqa: E402
from tests.ladder_files import concepts, methodologies  # noqa: E402

FOLDER = Path(__file__).parent / "ladder_sentences"
TALKS = Path(__file__).parent / "ladder_talks"
LANGUAGES = ("en", "it", "ru")
PARTS = ("tuned", "held_out", "afterwards")
FOCUS = "the thing asked about"


class Sentence(NamedTuple):
    """An answer, what it answers, and the rungs, counted from 1, of the things in it."""

    said: str
    rungs: dict[str, int]
    focus: int = 0  # the rung asked about; 0: the opening
    technique: str = "ladder_up"
    ways: str = "means_end_chain"


class Placed(NamedTuple):
    """A labelled thing that rules found: where it belongs and where they put it."""

    said: str
    thing: str
    meant: int
    put: int


class Figures(NamedTuple):
    """What the rules make of some sentences."""

    sentences: int
    things: int
    right: float
    top: float
    top_meant: float


@cache
def sentences(language: str, part: str) -> list[Sentence]:
    """The labelled sentences of one part."""
    return [Sentence(**fields) for fields in read_yaml_file(FOLDER / f"{language}.yaml")[part]]


def nodes(sentence: Sentence, language: str) -> list[tuple[str, int]]:
    """What rules find in one, with rungs."""
    ways = methodologies()[sentence.ways]
    concept = concepts()["reading_lamp"]
    made = extract(sentence.said, _asked(sentence, ways), ways, concept, language)
    return [(one.text, ways.types.index(one.type) + 1) for one in made.concepts]


def placed(sentence: Sentence, found: Iterable[tuple[str, int]]) -> Iterator[Placed]:
    """Each labelled thing of one that rules made a node of."""
    for text, rung in found:
        for thing, meant in sentence.rungs.items():
            if thing.casefold() in text.casefold():
                yield Placed(sentence.said, thing, meant, rung)


def figures(language: str, part: str) -> Figures:
    """Of one part."""
    every = sentences(language, part)
    found = [(sentence, nodes(sentence, language)) for sentence in every]
    things = [(sentence, one) for sentence, made in found for one in placed(sentence, made)]
    tops = [rung == _top(sentence) for sentence, made in found for _, rung in made]
    meant = [one.meant == _top(sentence) for sentence, one in things]
    right = sum(one.put == one.meant for _, one in things) / len(things)
    return Figures(len(every), len(things), right, sum(tops) / len(tops), sum(meant) / len(meant))


def wrong(language: str, part: str) -> list[Placed]:
    """The things that stand on another rung than theirs."""
    every = ((one, nodes(one, language)) for one in sentences(language, part))
    return [one for which in every for one in placed(*which) if one.put != one.meant]


@cache
def talks(language: str) -> dict[str, list[str]]:
    """What people answer, by the talk's name."""
    found: dict[str, list[str]] = read_yaml_file(TALKS / f"{language}.yaml")
    return found


@cache
def talk(language: str, name: str) -> Graph:
    """The graph that a talk leaves."""
    led = Laddering(material(turns=30), language=language)
    return led.all(talks(language)[name]).state.graph


def on_rungs(graph: Graph) -> list[int]:
    """How many nodes stand on each rung, from the lowest up."""
    count = Counter(node.type for node in graph.nodes)
    return [count[kind] for kind in methodologies()["means_end_chain"].types]


def top_share(graph: Graph) -> float:
    """The share of nodes on the highest rung."""
    return on_rungs(graph)[-1] / len(graph.nodes)


def printed() -> str:
    """Both tables."""
    return f"{_of_sentences()}\n\n{_of_talks()}"


def _of_talks() -> str:
    lines = [f"{'':<14}{'nodes':>10}{'top':>8}{'chain':>8}  by rung"]
    for language in LANGUAGES:
        for name in talks(language):
            made = talk(language, name)
            chain = max(chain_lengths(made, methodologies()["means_end_chain"]).values())
            lines.append(
                f"{language} {name:<11}{len(made.nodes):>10}{top_share(made):>8.2f}{chain:>8}"
                f"  {' '.join(map(str, on_rungs(made)))}"
            )
    return "\n".join(lines)


def _of_sentences() -> str:
    lines = [f"{'':<14}{'sentences':>10}{'things':>8}{'right':>8}{'top':>8}{'top meant':>11}"]
    for language in LANGUAGES:
        for part in PARTS:
            one = figures(language, part)
            lines.append(
                f"{language} {part:<11}{one.sentences:>10}{one.things:>8}"
                f"{one.right:>8.2f}{one.top:>8.2f}{one.top_meant:>11.2f}"
            )
    return "\n".join(lines)


def _asked(sentence: Sentence, ways: Methodology) -> Question:
    if not sentence.focus:
        return Question("open")
    return Question(sentence.technique, FOCUS, ways.types[sentence.focus - 1])


def _top(sentence: Sentence) -> int:
    return len(methodologies()[sentence.ways].ladder)


if __name__ == "__main__":
    print(printed())
    if "--wrong" in sys.argv:
        for one in (w for language in LANGUAGES for w in wrong(language, "tuned")):
            print(f"{one.meant} -> {one.put}  {one.thing}: {one.said}")
