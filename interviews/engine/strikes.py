"""What a participant doesn't want kept: found in their words, masked, and forgotten.

All that is decided after such a wish rests on the masked words alone. So the turn can be replayed
from what is left: the state that it began with is stored with it, and none of the words.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_origin

from pydantic import BaseModel

from interviews.choices import SpeakerRole
from interviews.engine.contact_data.masking import STRUCK, holds, replaced, without_marks
from interviews.engine.context import AnyContext, ProtocolState
from interviews.engine.language.sentences import spaced_sentences
from interviews.engine.language.terms import shared_terms, terms
from llm.tasks.outcome import Outcome

KEY = "struck"  # of the state that a turn began with; null in turns whose words are gone
KIND = "struck"  # of the mark
WHOLE = 4  # words that are a passage by themselves; fewer only name one, unless they are a name
REPEATED = re.compile(rf"{re.escape(STRUCK)}(?:[\s.,;:!?…]*{re.escape(STRUCK)})+")
Forget = Callable[[Any, "Strike"], Any]


@dataclass(frozen=True)
class Strike:
    """Passages that aren't kept, and the texts that change, by position in the transcript.

    `own` are terms that only the passages hold, `left` those of the rest of each struck answer.
    """

    language: str
    passages: tuple[str, ...]
    entries: Mapping[int, str]
    own: frozenset[str]
    left: Mapping[int, frozenset[str]]

    def without(self, text: str) -> str:
        """Return a text that isn't the participant's; sentences that tell of it are masked."""
        if not self.tells(text):
            return text
        parts = spaced_sentences(_masked(text, self.passages))
        return REPEATED.sub(STRUCK, " ".join(STRUCK if self._says(p) else p for p in parts))

    def tells(self, text: str, *positions: int) -> bool:
        """Return whether a text comes from the passages.

        It does if it holds one, or a word that only they hold. So does what was drawn from struck
        answers alone, at `positions`, if it has at least as many of its words from the passages as
        from the rest, or if there is no rest.
        """
        if self._says(text) or _masked(text, self.passages) != text:
            return True
        if not positions or not {*positions} <= self.left.keys():
            return False
        said, rest = terms(text, self.language), _union(self.left[one] for one in positions)
        told = shared_terms(_union(terms(p, self.language) for p in self.passages), said)
        return not rest or len(told) >= max(1, len(shared_terms(rest, said)))

    def _says(self, text: str) -> bool:
        return bool(shared_terms(self.own, terms(without_marks(text), self.language)))

    def from_model(self, value: Any, position: int) -> Any:
        """Return what a model made of the answer there, without texts that come from it."""
        if isinstance(value, BaseModel):
            every = type(value).model_fields.items()
            texts = [name for name, one in every if get_origin(one.annotation) is not Literal]
            found = {n: self.from_model(getattr(value, n), position) for n in texts}
            return value.model_copy(update=found)
        if isinstance(value, list):
            return [self.from_model(one, position) for one in value]
        return "" if isinstance(value, str) and self.tells(value, position) else value

    def from_json(self, value: Any, planned: str = "") -> Any:
        """Return stored data with its sentences masked that tell of it, if they aren't planned."""
        if isinstance(value, dict):
            return {key: self.from_json(one, planned) for key, one in value.items()}
        if isinstance(value, list):
            return [self.from_json(one, planned) for one in value]
        if not isinstance(value, str) or " " not in value:
            return value
        found = self.without(value)
        return value if found != value and _as_json(value) in planned else found

    def results(
        self, results: Mapping[str, Outcome[Any]], position: int
    ) -> dict[str, Outcome[Any]]:
        return {
            key: replace(one, value=self.from_model(one.value, position))
            for key, one in results.items()
        }


def strike(ctx: AnyContext) -> Strike:
    """Find what isn't to be kept: the passage named, in the places where it was said.

    If it isn't found word for word, or only where the wish may name it, the sentences of the last
    two answers that share most of its words are meant; without any, the last answer. What only
    wishes is none of them. After the care text nothing is guessed: its answers aren't seen here.
    """
    here = ctx.received.position
    said = {one.position: one.text for one in ctx.transcript if one.role == SpeakerRole.PARTICIPANT}
    said = {at: text for at, text in said.items() if _tells(text)}
    answers = {**said, here: ctx.answer} if ctx.reading.told or not said else said
    passages: list[str] = []
    for named in ctx.reading.struck.split("; "):
        whole = _is_whole(named) and terms(named, ctx.language)
        exact = {at for at, text in answers.items() if whole and holds(text, named, KIND)}
        if exact:
            passages.append(named)
        if exact <= {here}:
            passages += _nearest(named, [*answers.items()][-2:], here, ctx.language)
    if not passages and not ctx.care_shown:
        passages = spaced_sentences([*answers.values()][-1])
    return _strike(ctx, {**said, here: ctx.answer}, tuple(passages))


def _strike(ctx: AnyContext, said: Mapping[int, str], passages: tuple[str, ...]) -> Strike:
    language, here = ctx.language, ctx.received.position
    masked = {at: _masked(text, passages) for at, text in said.items()}
    struck = [at for at, text in said.items() if masked[at] != text]
    rest = {at: without_marks(text) for at, text in masked.items()}
    others = [text for at, text in rest.items() if at != here]
    others += spaced_sentences(rest[here])[:-1]  # the last one is the wish
    asked = [one for one in ctx.transcript if one.role == SpeakerRole.INTERVIEWER]
    first = min(struck, default=here)
    others += [one.text for one in asked if one.position < first]
    own = _union(terms(one, language) for one in passages)
    own -= shared_terms(own, _union(terms(one, language) for one in others))
    entries = {at: masked[at] for at in struck}
    left = {at: terms(rest[at], language) for at in struck}
    found = Strike(language, passages, entries, own, left)
    later = [one for one in asked if one.position > first and found.tells(one.text)]
    return replace(
        found, entries=entries | {one.position: found.without(one.text) for one in later}
    )


def without_struck(ctx: AnyContext, found: Strike, forget: Forget) -> AnyContext:
    """Return the context as if the passages hadn't been said."""
    lines = tuple(
        replace(one, text=found.entries.get(one.position, one.text)) for one in ctx.transcript
    )
    heard = replace(ctx.received, text=found.entries.get(ctx.received.position, ctx.answer))
    state: ProtocolState = forget(ctx.state, found)
    stored = found.from_json(state.model_dump(mode="json"), ctx.plan.model_dump_json())
    names = [one for one in state.names if not found.tells(one)]
    state = type(state).model_validate({**stored, "closed": state.closed, "names": names})
    return replace(ctx, transcript=lines, received=heard, state=state)


def _nearest(named: str, answers: Iterable[tuple[int, str]], here: int, language: str) -> list[str]:
    """Return the sentences with most of its words, at least half of them.

    If there are others, the last one in the answer is the wish, which stays visible.
    """
    wanted = terms(named, language)
    found = [
        (share, at, part)
        for at, text in answers
        for part in spaced_sentences(text)
        if 2 * (share := len(shared_terms(wanted, terms(part, language)))) >= max(1, len(wanted))
    ]
    if len(found) > 1 and found[-1][1] == here:
        del found[-1]
    return [part for share, _, part in found if share == max(one[0] for one in found)]


def _is_whole(named: str) -> bool:
    words = named.split()
    return len(words) >= WHOLE or all(not word[0].islower() for word in words)


def _masked(text: str, passages: Iterable[str]) -> str:
    masked = text
    for passage in passages:
        masked = replaced(masked, passage, KIND)
    if masked == text:
        return text
    return REPEATED.sub(STRUCK, masked) if _tells(masked) else STRUCK


def _tells(text: str) -> bool:
    return any(map(str.isalnum, without_marks(text)))


def _union(every: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*every)


def _as_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]
