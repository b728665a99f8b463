"""Guards that only this protocol needs, beside those of the engine."""

import re

from interviews.engine.language.lists import guarded_words
from interviews.engine.language.sentences import asks, single_spaced, spaced_sentences
from interviews.engine.language.wishes import plain
from interviews.engine.result import GuardFiring

TAGGED = re.compile(  # also one that is still being written
    r"[\[(<{\s]{0,9}INTERVIEW_COMPLETED[\])>}\s]{0,9}|[\[(<{][\s\w]*$", re.I
)
NUMBER = re.compile(r"\d+")
CLOSING = ("goodbye", "promotion")


def _matches(text: str, name: str) -> bool:
    return guarded_words(name).search(plain(text)) is not None


def no_offer(text: str, questions: int) -> str:
    """Return why the text doesn't offer so many more questions; empty if it does."""
    if any(int(number) != questions for number in NUMBER.findall(text)):
        return "another number of questions"
    return "" if _matches(text, "offer") else "no offer"


def data_request(text: str, kind: str, label: str) -> str:
    """Return why the text doesn't ask for the field that is due; empty if it does."""
    named = plain(label) in plain(text) or _matches(text, kind)
    return "" if asks(text) and named else "not the field that is due"


def without_tag(text: str) -> str:
    return single_spaced(TAGGED.sub(" ", text))


def without_closing(text: str) -> tuple[str, tuple[GuardFiring, ...]]:
    """Return the text without a completion tag, a goodbye or promotion.

    The tag ends nothing: the state decides when the interview ends.
    """
    whole, spoken = single_spaced(text), without_tag(text)
    firings = []
    if spoken != whole:
        firings.append(GuardFiring("completion", "completion tag blocked", whole))
    kept = []
    for sentence in spaced_sentences(spoken):
        why = next((name for name in CLOSING if _matches(sentence, name)), "")
        if why:
            firings.append(GuardFiring("closure", why, whole))
        else:
            kept.append(sentence)
    return " ".join(kept), tuple(firings)
