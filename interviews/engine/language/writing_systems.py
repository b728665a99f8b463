"""Writing systems: the cheap part of knowing which language a text is in."""

import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier  # type: ignore[import-untyped]

# Languages and the writing system that their letters come from; others are not judged.
WRITTEN_IN = {
    **dict.fromkeys(("ru", "uk", "be", "bg", "sr", "mk", "kk"), "CYRILLIC"),
    **dict.fromkeys(
        ("en", "it", "es", "de", "fr", "pt", "nl", "pl", "cs", "sv", "da", "nb", "fi", "tr"),
        "LATIN",
    ),
    **dict.fromkeys(("ar", "fa", "ur"), "ARABIC"),
    "el": "GREEK",
    "he": "HEBREW",
}
FEW = 12  # letters; a name or a short quotation tells nothing
MANY = 40  # letters from which on the detector is asked
SURE = 0.9  # probability of another language
VARIETIES = {"ary": "ar", "arz": "ar", "pcm": "en", "nn": "no"}  # counted as one language
NEARLY_ALL = 0.9  # of a text's letters are of its script; the rest may be names


def foreign(text: str, language: str, least: float = 0.5) -> bool:
    """Whether less than that share of the letters is of the language's own writing system."""
    system = WRITTEN_IN.get(language.split("-")[0])
    letters = [c for c in text if c.isalpha()]
    if system is None or len(letters) < FEW:
        return False
    own = sum(_is_of(c, system) for c in letters)
    return own < least * len(letters)


@lru_cache(maxsize=4_096)
def _is_of(letter: str, system: str) -> bool:
    return unicodedata.name(letter, "").startswith(system)


def writing_of_language(language: str) -> str:
    """The writing system of a language; empty where none is known."""
    return WRITTEN_IN.get(language.split("-")[0], "")


def letters_of(text: str) -> int:
    return sum(c.isalpha() for c in text)


def writing_of(text: str) -> str:
    """The writing system that nearly all letters of a text are of; empty if there is none such."""
    letters = [c for c in text if c.isalpha()]
    for system in sorted(set(WRITTEN_IN.values())):
        own = sum(_is_of(c, system) for c in letters)
        if letters and own >= NEARLY_ALL * len(letters):
            return system
    return ""


@lru_cache(maxsize=1_024)
def in_another_language(text: str, language: str) -> bool:
    """Return whether a text of some length is surely in another language than this one."""
    if letters_of(text) < MANY:
        return False
    found, share = likeliest_language(text)
    return share >= SURE and found != language.split("-")[0].lower()


def load() -> None:
    """Load the detector, so that no reply waits for it."""
    _identifier()


def likeliest_language(text: str) -> tuple[str, float]:
    """Return the likeliest of all known languages and its probability."""
    shares: dict[str, float] = {}
    for tag, share in _identifier().rank(text):
        one = VARIETIES.get(tag, tag)
        shares[one] = shares.get(one, 0.0) + share
    best = max(shares, key=lambda tag: shares[tag])
    return best, shares[best]


@cache
def _identifier() -> "LanguageIdentifier":
    # only where needed: it takes about a second and some memory
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
