"""Text requested from the model, guarded, and replaced where a guard rejects it.

A rejected text is requested once more, at a lower temperature and with the reason. If the second
text is rejected too, its question alone is tried, then the fixed text is used. A turn makes at most
two extra calls.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from interviews.engine.language.sentences import asks, single_spaced
from interviews.engine.result import CallResults, GuardFiring, TaskCall
from interviews.protocols.topic_exploration import guards, tasks
from llm.tasks.outcome import Source

REPLY_KEY = "reply"
IN_OTHER_WORDS = "asked before, in other words"
MAX_EXTRA_CALLS = 2  # for all guards of a turn together
Guard = Callable[[str], str]  # returns why it rejects a text, or ""


@dataclass(frozen=True)
class UtteranceRequest:
    """How to request a text, its guards in order, and the fixed text.

    `data` returns the prompt's input; its argument says why a first text was rejected.
    """

    data: Callable[[str], tasks.ReplyInput]
    guards: Sequence[tuple[str, Guard]]
    fallback: Callable[[], str]


@dataclass(frozen=True)
class GuardedText:
    text: str = ""
    call: TaskCall | None = None  # to be made first; the text is final without one
    used: tuple[str, ...] = ()  # keys of the calls made
    firings: tuple[GuardFiring, ...] = field(default=())


def guarded_text(results: CallResults, request: UtteranceRequest) -> GuardedText:
    first = results.get(REPLY_KEY)
    if first is None:
        return GuardedText(call=TaskCall(REPLY_KEY, tasks.REPLY, request.data("")))
    if first.source is Source.FALLBACK:
        return GuardedText(request.fallback(), used=(REPLY_KEY,))
    found = GuardedText(single_spaced(first.value.utterance), used=(REPLY_KEY,))
    for name, guard in request.guards:
        found = _apply_guard(found, name, guard, results, request)
        if found.call is not None:
            return found
    return _remove_tag(found)


def _apply_guard(
    found: GuardedText, name: str, guard: Guard, results: CallResults, request: UtteranceRequest
) -> GuardedText:
    why = guard(found.text) or _echo(found, name, results)
    if not why:
        return found
    fired = replace(found, firings=(*found.firings, GuardFiring(name, why, found.text)))
    if len(found.used) > MAX_EXTRA_CALLS:
        return replace(fired, text=request.fallback())
    key = f"again.{name}"
    again = results.get(key)
    if again is None:
        return replace(fired, call=TaskCall(key, tasks.AGAIN, request.data(why)))
    fired = replace(fired, used=(*fired.used, key))
    text = "" if again.source is Source.FALLBACK else single_spaced(again.value.utterance)
    usable = "" if again.echoes else _usable_text(text, request)
    if usable or not text:
        return replace(fired, text=usable or request.fallback())
    why = guard(text) or (IN_OTHER_WORDS if again.echoes else "another guard")
    rejected = GuardFiring(name, f"again: {why}", text)
    return replace(fired, text=request.fallback(), firings=(*fired.firings, rejected))


def _echo(found: GuardedText, name: str, results: CallResults) -> str:
    result = results[found.used[-1]]
    echoes = name == "duplicate" and result.echoes
    unchanged = echoes and single_spaced(result.value.utterance) == found.text
    return IN_OTHER_WORDS if unchanged else ""


def _usable_text(text: str, request: UtteranceRequest) -> str:
    for attempt in (text, guards.question_only(text)):
        if attempt and not any(guard(attempt) for _, guard in request.guards):
            return attempt
    return ""


def _remove_tag(found: GuardedText) -> GuardedText:
    """Remove the completion tag. It ends nothing: the state decides when the interview ends."""
    text = guards.without_tag(found.text)
    if text == single_spaced(found.text):
        return found
    fired = GuardFiring("completion", "completion tag blocked", found.text)
    return replace(found, text=text, firings=(*found.firings, fired))


def preview_text(
    results: CallResults, partials: Mapping[str, Mapping[str, Any]], request: UtteranceRequest
) -> str:
    """Return the part of an unfinished reply that can be shown; '' once it was rejected."""
    if any(key.startswith("again.") for key in (*results, *partials)):
        return ""
    reply = results.get(REPLY_KEY)
    if reply is not None and reply.source is Source.FALLBACK:
        return ""
    draft = reply.value.utterance if reply else partials.get(REPLY_KEY, {}).get("utterance")
    text = guards.before_tag(single_spaced(str(draft or "")))
    rejected = asks(text) and any(guard(text) for _, guard in request.guards)
    return "" if rejected else text
