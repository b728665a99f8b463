"""What is said in the whole of an interview, and what a model plans to reply."""

import unicodedata

from tests.readings import follows_up

SHORT = "-- By the sea."
LONG = (
    "We lived over a bakery in Riga, the five of us in two rooms. My grandmother told stories "
    "every evening, while the ovens below warmed the floor under our feet.\n\n"
    "In the mornings the whole house smelled of rye, and the stairs were white with flour."
)
EMOTIONAL = "My father died in the winter when I was nine, and nobody spoke of it."
HTML = "<b>hi</b><img src=x onerror=\"document.title='taken'\"> & <script>alert(1)</script>"
SIGNS = "👩‍👩‍👧 cafe\u0301 🌊 — שלום, אני גר ליד הים"
SENTENCE = "The tide came in and went out again, and nobody counted the days. "
TOO_LONG = (SENTENCE * 400)[:20_000]
SHORTENED = TOO_LONG[:9_000].rstrip()
CUT_SHORT = "What I remember most is the sound of the harbour."
KILLED = "The lamps went out one night."
LATER = "a thought for later"
ASKED = (
    "You spoke of the {about}. Where were you when you noticed it for the first time, who was "
    "there with you, and what did you hear before anything was said about it by anybody at all?"
)
BRIDGE = "That winter weighs a great deal."
DOOR = "Would you like to tell me more of it, or shall we leave it there?"


def follow_up(about: str) -> dict[str, str]:
    """What stays with what was said, in words that take a while to be written."""
    return follows_up(ASKED.format(about=about))


def moved() -> dict[str, str]:
    """What stays with a hard answer."""
    return {"heard": "fully stay heavy", "say": f"{BRIDGE} {DOOR}"}


def stored(text: str) -> str:
    """An answer as it is kept."""
    return unicodedata.normalize("NFC", text)
