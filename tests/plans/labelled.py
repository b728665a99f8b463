"""The labelled pairs of questions, and how well a measure does on them."""

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from llm.tasks.yaml_files import read_yaml_file

PAIRS = read_yaml_file(Path(__file__).with_name("similarity_pairs.yaml"))
LANGUAGES = ("en", "it", "ru")


class Figures(NamedTuple):
    """What a measure found, found wrongly, and missed."""

    hits: int
    alarms: int
    missed: int

    @property
    def precision(self) -> float:
        """The part of what it called the same that is the same; 1 where it called nothing so."""
        return self.hits / (self.hits + self.alarms) if self.hits + self.alarms else 1.0

    @property
    def recall(self) -> float:
        """The part of the same that it called the same."""
        return self.hits / (self.hits + self.missed)


def figures(part: str, languages: Iterable[str], alike: Callable[[str, str], bool]) -> Figures:
    """Over one part of the pairs ("tuning" or "held_out"), in these languages."""
    seen: Counter[tuple[bool, bool]] = Counter()
    for language in languages:
        for label, pairs in PAIRS[part][language].items():
            seen.update((label == "same", alike(a, b)) for a, b in pairs)
    return Figures(seen[True, True], seen[False, True], seen[True, False])
