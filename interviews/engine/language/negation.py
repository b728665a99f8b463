"""Whether words deny something, in the seven languages that participants' pages speak."""

import re

NEGATIONS = {
    "ar": r"[وف]?(?:لا|لم|لن|ليس\w*|لست|ما|مش|مو|غير|بدون|بلا)",
    "de": r"nicht|nichts|nie|niemals|niemand\w*|kein\w*|ohne|weder|nein|kaum",
    "en": r"no|not|never|none|nothing|nobody|nowhere|neither|nor|without|cannot|hardly|\w+n[' ]t|"
    r"(?:do|does|did|is|are|was|were|wo|ca|could|should|would|has|have|had)nt",
    "es": r"no|nunca|jamás|nada|nadie|ning[uú]n\w*|sin|ni|tampoco",
    "fr": r"ne|n'\w+|pas|jamais|rien|aucun\w*|sans|ni|non|plus",
    "it": r"non|mai|niente|nulla|nessun\w*|senza|né|neanche|nemmeno|neppure|no",
    "ru": r"не|нет|ни|без|никогда|ничего|никто|никого|никому|нигде|нельзя|вряд",
}
PATTERNS = {tag: re.compile(rf"(?<!\w)(?:{words})(?!\w)") for tag, words in NEGATIONS.items()}


def negates(text: str, language: str) -> bool:
    """Whether a word of it denies; False in a language that isn't known."""
    pattern = PATTERNS.get(language.split("-")[0].lower())
    return bool(pattern and pattern.search(text.casefold().replace("’", "'")))
