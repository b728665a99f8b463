"""What simulated participants say. By rules: from the facts that a question sets free.

A fact is `volunteered` as soon as anything is asked; `asked` by a question that touches it;
`probed` by the second one; `trusted` by one after something was taken in, from the fifth turn on;
`hinted` by one that takes up what they said of it themselves; `never` is refused. The same seed
gives the same words.
"""

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from interviews.choices import EntryKind
from interviews.engine.language.sentences import ends_asking, spaced_sentences
from interviews.engine.language.terms import terms
from interviews.engine.language.wishes import plain
from interviews.models import TranscriptEntry
from reflections.evaluation.personas import HiddenFact, Persona

Act = Literal[
    "tell",
    "small",
    "dont_know",
    "refuse",
    "ask_back",
    "joke",
    "inject",
    "stop",
    "agree",
    "continue",
    "decline",
]
INTERRUPTIONS: dict[str, tuple[Act, tuple[int, ...]]] = {  # by manner: what, before which answers
    "asking_back": ("ask_back", (2, 6)),
    "joking": ("joke", (3, 8)),
    "injecting": ("inject", (3, 7)),
    "leaving": ("stop", (6, 7)),
}
BETWEEN_HINTS = 2  # answers
FACTS_AT_ONCE = {"low": 1, "medium": 2, "high": 3}  # by verbosity
TRUSTED_FROM = 5  # turn
UNSURE, FORGETS, MISUNDERSTANDS = 0.5, 0.25, 0.2  # chances, for those with little of a trait
REPLIES: dict[str, dict[Act, str]] = {
    "en": {"agree": "Yes.", "continue": "No, let's continue.", "decline": "No, thank you."},
    "it": {"agree": "Sì.", "continue": "No, continuiamo.", "decline": "No, grazie."},
    "ru": {"agree": "Да.", "continue": "Нет, давайте продолжим.", "decline": "Нет, спасибо."},
}
OFFERS = (EntryKind.DEEP_OFFER, EntryKind.CONSENT_REQUEST, EntryKind.DATA_REQUEST)
READS, WRITES = 4.0, 0.6  # words a second
PACE = {"brief": 0.7, "rambling": 1.4, "grieving": 0.8}  # of writing, by manner
THINKS = 4  # seconds


@dataclass(frozen=True)
class Spoken:
    """What the interviewer says in one turn."""

    entries: tuple[TranscriptEntry, ...]

    @property
    def text(self) -> str:
        return "\n".join(entry.text for entry in self.entries)

    def sentences(self, without: Collection[str] = ()) -> list[str]:
        said = (entry.text for entry in self.entries if entry.kind not in without)
        return [one for text in said for one in spaced_sentences(text)]

    @property
    def key(self) -> str:
        return next((one.question for one in reversed(self.entries) if one.question), "")


@dataclass(frozen=True)
class Heard(Spoken):
    """What the interviewer has just said, and before which answer (from 1)."""

    turn: int
    awaiting: str = ""  # as the session's state has it

    @property
    def kind(self) -> str:
        return self.entries[-1].kind if self.entries else ""

    @property
    def question(self) -> str:
        """All of what was said together with a question; of what was said last if none is asked."""
        texts = [entry.text for entry in self.entries]
        asked = " ".join(text for text in texts if any(map(ends_asking, spaced_sentences(text))))
        return asked or "".join(texts[-1:])

    @property
    def takes_in(self) -> bool:
        return any(not ends_asking(sentence) for sentence in self.sentences())


@dataclass(frozen=True)
class Answer:
    act: Act
    text: str
    facts: tuple[str, ...] = ()  # keys of those told
    refused: tuple[str, ...] = ()  # keys of those that it refuses to tell
    hinted: str = ""  # key of the one that it hints at


class Respondent(Protocol):
    persona: Persona

    async def answer(self, heard: Heard) -> Answer: ...


def touches(fact: HiddenFact, question: str, key: str) -> bool:
    return key in fact.about or bool(touched_words(fact, question))


def touched_words(fact: HiddenFact, question: str) -> tuple[str, ...]:
    said = f" {plain(question)}"
    return tuple(one for one in fact.about if f" {plain(one)}" in said)


def follows(fact: HiddenFact, said: str, language: str) -> bool:
    """Return whether a question takes up a hint, with its words.

    One that names nothing itself ("What happened?") is about what stands before it.
    """
    sentences = spaced_sentences(said)
    asking = [one for one in sentences if ends_asking(one)]
    names = any(terms(one, language) for one in asking)
    return bool(asking and touched_words(fact, " ".join(asking if names else sentences)))


def with_hint(answer: Answer, facts: Iterable[HiddenFact], hinted: set[str], turn: int) -> Answer:
    """Return the answer with the next hint, if one is due; `hinted` gets the fact's key."""
    left = (one for one in facts if one.hint and one.key not in hinted)
    due = answer.act in ("tell", "small") and turn > BETWEEN_HINTS * len(hinted)
    if not due or not (fact := next(left, None)):
        return answer
    hinted.add(fact.key)
    return replace(answer, text=f"{answer.text} {fact.hint}", hinted=fact.key)


def given_away(facts: Iterable[HiddenFact], text: str) -> tuple[str, ...]:
    """Return the keys of the facts that a text tells, by the words that give them away."""
    said = plain(text)
    return tuple(
        fact.key for fact in facts if any(plain(words) in said for words in fact.gives_away)
    )


def typing_seconds(persona: Persona, heard: str, said: str) -> int:
    pace = WRITES * PACE.get(persona.manner, 1.0)
    return THINKS + round(len(heard.split()) / READS + len(said.split()) / pace)


@dataclass
class RespondentByRules:
    persona: Persona
    seed: int
    _told: set[str] = field(default_factory=set)
    _hinted: set[str] = field(default_factory=set)
    _touched: Counter[str] = field(default_factory=Counter)
    _used: Counter[Act] = field(default_factory=Counter)
    _trusts: bool = False
    _stopped: bool = False

    def __post_init__(self) -> None:
        # chance that can be made again, no secret
        self._rng = random.Random(f"{self.seed}:{self.persona.key}")  # noqa: S311

    async def answer(self, heard: Heard) -> Answer:
        self._trusts = self._trusts or (heard.turn > 1 and heard.takes_in)
        if act := self._formality(heard) or self._interruption(heard):
            return self._line(act)
        asked_for = [one for one in self.persona.facts if self._is_followed(one, heard.text)]
        answer = self._tell(asked_for) if asked_for else self._about(heard)
        return with_hint(answer, self.persona.facts, self._hinted, heard.turn)

    def _is_followed(self, fact: HiddenFact, said: str) -> bool:
        open_hint = fact.key in self._hinted - self._told
        return open_hint and follows(fact, said, self.persona.language)

    def _formality(self, heard: Heard) -> Act | None:
        """Return the reply to what isn't about the subject: shall we stop, an offer, data."""
        if heard.awaiting:
            ends = self._stopped and heard.awaiting == "stop"
            return "agree" if ends or heard.awaiting == "care" else "continue"
        if heard.kind not in OFFERS:
            return None
        talks = self.persona.traits.verbosity == "high"
        return "agree" if talks and heard.kind == EntryKind.DEEP_OFFER else "decline"

    def _interruption(self, heard: Heard) -> Act | None:
        act, turns = INTERRUPTIONS.get(self.persona.manner, ("tell", ()))
        if heard.turn in turns and getattr(self.persona.lines, act):
            self._stopped = act == "stop"
            return act
        return None

    def _about(self, heard: Heard) -> Answer:
        touched = [
            one
            for one in self.persona.facts
            if not one.hint and touches(one, heard.question, heard.key)
        ]
        if self._misunderstands(touched):
            return self._line("ask_back")
        self._touched.update(fact.key for fact in touched)
        refused = [one for one in touched if one.told == "never"]
        if refused:
            return self._line("refuse", refused=tuple(fact.key for fact in refused))
        free = [fact for fact in self.persona.facts if self._is_free(fact, touched, heard.turn)]
        if not free or self._forgets(free):
            return self._line(self._empty_act(touched))
        return self._tell(free[: FACTS_AT_ONCE[self.persona.traits.verbosity]])

    def _misunderstands(self, touched: list[HiddenFact]) -> bool:
        new = touched and not any(self._touched[fact.key] for fact in touched)
        asks = bool(new and self.persona.lines.ask_back)
        return asks and self._chance(self.persona.traits.understanding, MISUNDERSTANDS)

    def _forgets(self, free: list[HiddenFact]) -> bool:
        first = all(self._touched[fact.key] == 1 for fact in free)
        return first and self._chance(self.persona.traits.memory, FORGETS)

    def _chance(self, trait: str, share: float) -> bool:
        return trait == "low" and self._rng.random() < share

    def _is_free(self, fact: HiddenFact, touched: list[HiddenFact], turn: int) -> bool:
        if fact.key in self._told:
            return False
        match fact.told:
            case "volunteered":
                return True
            case "asked":
                return fact in touched
            case "probed":
                return fact in touched and self._touched[fact.key] > 1
            case "trusted":
                return fact in touched and self._trusts and turn >= TRUSTED_FROM
        return False

    def _empty_act(self, touched: list[HiddenFact]) -> Act:
        if touched or not self._chance(self.persona.traits.knowledge, UNSURE):
            return "small"
        return "dont_know"

    def _tell(self, facts: list[HiddenFact]) -> Answer:
        self._told.update(fact.key for fact in facts)
        words = [fact.text for fact in facts]
        if self.persona.manner == "rambling":
            words = [self._line("small").text, *words]
        text = " ".join(words)
        return Answer("tell", text, given_away(self.persona.facts, text))

    def _line(self, act: Act, refused: tuple[str, ...] = ()) -> Answer:
        lines = getattr(self.persona.lines, act, ())
        if not lines:
            lines = (REPLIES.get(self.persona.language, REPLIES["en"])[act],)
        number = self._used[act]
        self._used[act] += 1
        text = lines[number % len(lines)]
        return Answer(act, text, given_away(self.persona.facts, text), refused)


def chosen(personas: Iterable[Persona], languages: Iterable[str]) -> Iterator[Persona]:
    """Yield those who speak one of the languages; the ones held back come last."""
    spoken = frozenset(languages)
    yield from sorted((p for p in personas if p.language in spoken), key=lambda one: one.held_back)
