"""Words asked of the model, guarded, and replaced where a guard fires.

A guard that fires sends the wording back once, cooler and with its aim enforced; then the question
alone is taken out of it; then the fixed words in reserve stand. A turn has two extra calls in all.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from interviews.engine.language.sentences import asks, single_spaced
from interviews.engine.result import CallResults, GuardFiring, TaskCall
from interviews.protocols.topic_exploration import guards, tasks
from llm.tasks.outcome import Source
from llm.tasks.task import Task

REPLY_KEY = "reply"
IN_OTHER_WORDS = "asked before, in other words"
EXTRA_CALLS = 2  # for all guards of a turn together
Check = Callable[[str], str]  # why a text can't stand; empty if it can


@dataclass(frozen=True)
class UtteranceRequest:
    """What is to be said: how to ask for it, what guards it, and what stands in reserve.

    `data` gives the prompt's blocks; its argument says why a first wording was sent back.
    """

    data: Callable[[str], tasks.ReplyInput]
    checks: Sequence[tuple[str, Check]]
    reserve: Callable[[], str]


@dataclass(frozen=True)
class SpokenText:
    """The text as far as it is settled; `need` is what has still to be read."""

    text: str = ""
    need: TaskCall | None = None
    used: tuple[str, ...] = ()  # keys of the readings that were asked for
    firings: tuple[GuardFiring, ...] = field(default=())


def spoken(results: CallResults, wanted: UtteranceRequest) -> SpokenText:
    """The utterance, or the reading that is missing."""
    first = results.get(REPLY_KEY)
    if first is None:
        return SpokenText(need=_inquiry(wanted, REPLY_KEY, tasks.REPLY, ""))
    if first.source is Source.FALLBACK:
        return SpokenText(wanted.reserve(), used=(REPLY_KEY,))
    found = SpokenText(single_spaced(first.value.utterance), used=(REPLY_KEY,))
    for name, check in wanted.checks:
        found = _guarded(found, name, check, results, wanted)
        if found.need is not None:
            return found
    return _without_tag(found)


def _guarded(
    found: SpokenText, name: str, check: Check, results: CallResults, wanted: UtteranceRequest
) -> SpokenText:
    """What one guard makes of the text."""
    why = check(found.text) or _echo(found, name, results)
    if not why:
        return found
    fired = replace(found, firings=(*found.firings, GuardFiring(name, why, found.text)))
    if len(found.used) > EXTRA_CALLS:
        return replace(fired, text=wanted.reserve())
    key = f"again.{name}"
    again = results.get(key)
    if again is None:
        return replace(fired, need=_inquiry(wanted, key, tasks.AGAIN, why))
    text = "" if again.source is Source.FALLBACK else single_spaced(again.value.utterance)
    usable = "" if again.echoes else _usable(text, wanted)
    fired = replace(fired, used=(*fired.used, key), text=usable)
    if fired.text or not text:
        return fired if fired.text else replace(fired, text=wanted.reserve())
    why = check(text) or (IN_OTHER_WORDS if again.echoes else "another guard")
    refused = GuardFiring(name, f"again: {why}", text)
    return replace(fired, text=wanted.reserve(), firings=(*fired.firings, refused))


def _echo(found: SpokenText, name: str, results: CallResults) -> str:
    """Why a model's wording is a repeat although its words are not; empty if it isn't one."""
    reading = results[found.used[-1]]
    echoes = name == "duplicate" and reading.echoes
    said = echoes and single_spaced(reading.value.utterance) == found.text
    return IN_OTHER_WORDS if said else ""


def _usable(text: str, wanted: UtteranceRequest) -> str:
    """The second wording, or its question alone, if every guard lets it pass; else nothing."""
    for attempt in (text, guards.question_only(text)):
        if attempt and not any(check(attempt) for _, check in wanted.checks):
            return attempt
    return ""


def _without_tag(found: SpokenText) -> SpokenText:
    """The last guard: the tag ends nothing, since the state is the code's; it is taken out."""
    text = guards.without_tag(found.text)
    if text == single_spaced(found.text):
        return found
    fired = GuardFiring("completion", "completion tag blocked", found.text)
    return replace(found, text=text, firings=(*found.firings, fired))


def _inquiry(wanted: UtteranceRequest, key: str, task: Task[Any, Any], why: str) -> TaskCall:
    return TaskCall(key, task, wanted.data(why))


def certain(
    results: CallResults, partials: Mapping[str, Mapping[str, Any]], wanted: UtteranceRequest
) -> str:
    """As much of the half-written reply as can be shown; nothing once it was sent back."""
    if any(key.startswith("again.") for key in (*results, *partials)):
        return ""
    whole = results.get(REPLY_KEY)
    if whole is not None and whole.source is Source.FALLBACK:
        return ""
    written = whole.value.utterance if whole else partials.get(REPLY_KEY, {}).get("utterance")
    text = guards.certain(single_spaced(str(written or "")))
    spoiled = asks(text) and any(check(text) for _, check in wanted.checks)
    return "" if spoiled else text
