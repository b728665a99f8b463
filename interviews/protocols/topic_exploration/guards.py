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


def no_offer(text: str, questions: int) -> str:
    """Return why the text doesn't offer so many more questions; empty if it does.

    An offer names the number; "one" may be a word.
    """
    named = {int(number) for number in NUMBER.findall(text)}
    if named - {questions}:
        return "another number of questions"
    return "" if named or questions == 1 else "no offer"


def data_request(text: str, label: str) -> str:
    """Return why the text doesn't ask for the field that is due; empty if it does."""
    return "" if asks(text) and plain(label) in plain(text) else "not the field that is due"


def without_tag(text: str) -> str:
    return single_spaced(TAGGED.sub(" ", text))


def without_closing(text: str, language: str) -> tuple[str, tuple[GuardFiring, ...]]:
    """Return the text without a completion tag, a goodbye or promotion.

    The tag ends nothing: the state decides when the interview ends.
    """
    whole, spoken = single_spaced(text), without_tag(text)
    parts, closing = spaced_sentences(spoken), guarded_words("closing", language)
    kept = [part for part in parts if not closing.search(plain(part))]
    fired = (
        (spoken != whole, "completion", "completion tag blocked"),
        (len(kept) < len(parts), "closure", "goodbye or promotion"),
    )
    firings = (GuardFiring(guard, reason, whole) for fires, guard, reason in fired if fires)
    return " ".join(kept), tuple(firings)
