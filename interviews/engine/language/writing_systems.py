"""Writing systems: the cheap part of knowing which language a text is in."""

import unicodedata

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
NEARLY_ALL = 0.9  # of a text's letters are of its script; the rest may be names


def foreign(text: str, language: str, least: float = 0.5) -> bool:
    """Whether less than that share of the letters is of the language's own writing system."""
    system = WRITTEN_IN.get(language.split("-")[0])
    letters = [c for c in text if c.isalpha()]
    if system is None or len(letters) < FEW:
        return False
    own = sum(unicodedata.name(c, "").startswith(system) for c in letters)
    return own < least * len(letters)


def writing_of_language(language: str) -> str:
    """The writing system of a language; empty where none is known."""
    return WRITTEN_IN.get(language.split("-")[0], "")


def letters_of(text: str) -> int:
    """How many letters there are."""
    return sum(c.isalpha() for c in text)


def writing_of(text: str) -> str:
    """The writing system that nearly all letters of a text are of; empty if there is none such."""
    letters = [c for c in text if c.isalpha()]
    for system in sorted(set(WRITTEN_IN.values())):
        own = sum(unicodedata.name(c, "").startswith(system) for c in letters)
        if letters and own >= NEARLY_ALL * len(letters):
            return system
    return ""
