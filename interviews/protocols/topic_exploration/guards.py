"""Guards that only this protocol needs, beside those of the engine."""

import re

from interviews.engine import guards
from interviews.engine.guards import Checked, Limits
from interviews.engine.language.lists import guarded_words
from interviews.engine.language.sentences import asks, single_spaced, spaced_sentences
from interviews.engine.language.terms import shared_terms, terms
from interviews.engine.language.wishes import plain
from interviews.engine.result import GuardFiring

TAGGED = re.compile(r"[\[(<{\s]{0,9}INTERVIEW_COMPLETED[\])>}\s]{0,9}", re.I)
OPENERS = "[(<{ "
NUMBER = re.compile(r"\d+")
SHARED = 0.5  # least share of the target's words in a question after something heavy


def question(text: str, limits: Limits) -> Checked:
    """Return an utterance without a completion tag, a goodbye or promotion, if its question holds.

    The tag ends nothing: the state decides when the interview ends.
    """
    kept, firings = without_closing(text, limits.language)
    found = guards.check(kept, limits)
    return Checked(found.text, (*firings, *found.firings))


def on_target(found: Checked, target: str, language: str) -> Checked:
    """Return nothing if the question isn't about the target: after something heavy it may probe."""
    wanted = terms(guards.question_of(target) or target, language)
    shared = shared_terms(wanted, terms(guards.question_of(found.text), language))
    if wanted and len(shared) >= SHARED * len(wanted):
        return found
    firing = GuardFiring("probing", "asks about something heavy", found.text)
    return Checked("", (*found.firings, firing))


def deep_offer(text: str, limits: Limits, questions: int) -> Checked:
    found = question(text, limits)
    why = no_offer(found.text, questions) if found.text else ""
    return Checked("", (*found.firings, GuardFiring("deep_offer", why, text))) if why else found


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


def before_question(draft: str, limits: Limits) -> str:
    """Return as much of an unfinished utterance as may be shown."""
    kept, _ = without_closing(draft, limits.language)
    return guards.safe_prefix(kept, limits).rstrip(OPENERS)


def without_tag(text: str) -> str:
    return single_spaced(TAGGED.sub(" ", text))


def without_closing(text: str, language: str) -> tuple[str, tuple[GuardFiring, ...]]:
    whole, spoken = single_spaced(text), without_tag(text)
    parts, closing = spaced_sentences(spoken), guarded_words("closing", language)
    kept = [part for part in parts if not closing.search(plain(part))]
    fired = (
        (spoken != whole, "completion", "completion tag blocked"),
        (len(kept) < len(parts), "closure", "goodbye or promotion"),
    )
    firings = (GuardFiring(guard, reason, whole) for fires, guard, reason in fired if fires)
    return " ".join(kept), tuple(firings)
