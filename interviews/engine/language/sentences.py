"""Plain looks at what a model has written: sentences, questions, leaks."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import takewhile

from interviews.engine.language.wishes import plain

QUESTION_MARKS = re.compile(r"[?？؟՞፧⁇‽\u037e]")
SENTENCE = re.compile(r"[^.!?…？。！؟]+[.!?…？。！؟]*[\"'”»)]*\s*")
# Up to an end of a sentence that a space or the end follows: Node.js and `a ? b : c` stay whole.
SPACED = re.compile(
    r"(?:`[^`]*`|.)+?(?:(?<![.!?…？؟])[.!?…？؟]++[\"'”»)]*+(?: [»])?(?=\s|$)|$)\s*", re.S
)
ENDS_ASKING = re.compile(r"(?<![!?？؟…])[!…]*+[?？؟][!?？؟…]*+[\"'”»)]*+(?: [»])?$")
# A point after these ends no sentence, and neither does one after a single letter ("J. R.").
SHORTENED = re.compile(
    r"(?:^|[\s(«\"“])(?:[^\W\d_]|Mr|Mrs|Ms|Dr|Prof|St|Sig|Sra?|Dra|Mme|vs|z\.B|d\.h|e\.g|i\.e"
    r"|т\.е|т\.д|им|ул)\.$"
)
SHINGLE = 8  # this many words in a row from private material are no coincidence …
CODE = re.compile(r"[^\W_]+(?:[-_.][^\W_]+)*")  # … and neither is a word of letters and figures
YEAR = re.compile(r"(?:1[0-9]|20)\d\d")


def single_spaced(text: str) -> str:
    return " ".join(text.split())


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} …"


def sentences(text: str) -> list[str]:
    return [s.strip() for s in SENTENCE.findall(text) if s.strip()]


def spaced_sentences(text: str) -> list[str]:
    """The text cut where a space follows: code and names of files keep their points and marks.

    What goes on in small letters is the same sentence ('She asked “Why?” and left.').
    """
    found: list[str] = []
    for part in filter(None, map(str.strip, SPACED.findall(single_spaced(text)))):
        if found and (part[0].islower() or SHORTENED.search(found[-1])):
            found[-1] = f"{found[-1]} {part}"
        else:
            found.append(part)
    return found


def ends_asking(sentence: str) -> bool:
    return ENDS_ASKING.search(sentence) is not None


def asks(text: str) -> bool:
    """Whether it holds a question mark of any script."""
    return QUESTION_MARKS.search(text) is not None


def until_question(parts: Iterable[str]) -> list[str]:
    """Return the sentences that come before the first that ends with a question."""
    return [*takewhile(lambda one: not ends_asking(one), parts)]


def questions_in(text: str) -> list[str]:
    """The sentences that ask; the whole text if none does."""
    return [s for s in spaced_sentences(text) if asks(s)] or [text]


def quotes(text: str, private: Iterable[str]) -> bool:
    """Whether it repeats a run of words, or a code, from what only the interviewer knows."""
    said, letters = _shingles(text), _letters(text)
    return any(
        said & _shingles(source) or any(code in letters for code in _codes(source))
        for source in private
    )


@lru_cache(maxsize=512)
def _codes(text: str) -> frozenset[str]:
    """Words like “Blue-4417”; years and the likes of “COVID-19” are everyday speech."""
    return frozenset(_letters(word) for word in CODE.findall(text) if _is_code(word))


def _is_code(word: str) -> bool:
    figures = "".join(c for c in word if c.isdigit())
    return len(figures) > 2 and len(figures) < len(_letters(word)) and not YEAR.fullmatch(figures)


def _letters(text: str) -> str:
    """Letters and figures only, so that a code can't be spelled past."""
    return "".join(c for c in text.casefold() if c.isalnum())


@lru_cache(maxsize=512)
def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    words = plain(text).split()
    return frozenset(tuple(words[i : i + SHINGLE]) for i in range(len(words) - SHINGLE + 1))
