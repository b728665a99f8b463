"""The phrases of an answer in groups, and which group leads to which.

A reason is told in two ways. “I like the light because it rests my eyes”: what is liked leads to
the reason, which is what it is good for. “I sleep well because it is quiet”: the reason leads to
what was said. Words for liking, wanting or using tell them apart. A part that names nothing (“it is
important to me because …”) stands for what the person spoke of before.
"""

from dataclasses import dataclass, field
from typing import Literal

from interviews.protocols.laddering.rules.clauses import Clause
from interviews.protocols.laddering.rules.cue_pattern import cue_pattern
from interviews.protocols.laddering.rules.phrases import Phrase, phrases

MOST = 20  # groups of one answer
FOCUS = -1  # in place of a group: what the question was about
Toward = Literal["", "up", "down"]  # where an answer leads from the focus
TOWARD: dict[str, Toward] = {
    "ladder_up": "up",
    "connect": "up",
    "return": "up",
    "ladder_down": "down",
}


@dataclass
class PhraseThreads:
    groups: list[list[Phrase]] = field(default_factory=list)  # in the order they were said
    pairs: list[tuple[int, int]] = field(default_factory=list)  # the first leads to the second
    reasons: set[tuple[int, int]] = field(default_factory=set)  # pairs that may lead back instead

    def before(self, group: int) -> list[int]:
        return [source for source, target in self.pairs if target == group]

    def tied_to(self, group: int) -> set[int]:
        found = {group}
        for _ in self.pairs:  # so often at most until the thread's end is reached
            found |= {end for pair in self.pairs if found & set(pair) for end in pair}
        return found - {group}


def threads(sentences: list[list[Clause]], technique: str, language: str) -> PhraseThreads:
    """Return the groups of all sentences. The first sentence answers the question's technique."""
    found = PhraseThreads()
    current = FOCUS
    toward = TOWARD.get(technique, "")
    for clauses in sentences:
        current = _add_sentence(found, clauses, current, toward, language)
        toward = ""
    return found


def _add_sentence(
    found: PhraseThreads, clauses: list[Clause], current: int, toward: Toward, language: str
) -> int:
    """Add one sentence; return the group that the next one may continue from."""
    before = ""
    for clause in clauses:
        group = phrases(clause.words, language, clause.cue)
        if group and len(found.groups) < MOST:
            place = len(found.groups)
            found.groups.append(group)
            way = _direction(clause, before, toward, language) if clause.tie else toward
            if way:
                pair = (current, place) if way == "up" else (place, current)
                found.pairs.append(pair)
                if clause.tie == "because" and current != FOCUS:
                    found.reasons.add(pair)
            current = place
        before, toward = clause.words, "" if clause.words else toward
    return current


def _direction(clause: Clause, before: str, toward: Toward, language: str) -> Toward:
    """Return whether a part stands above or below the one that its cue ties it to.

    An answer that begins with a reason leads where the question asks.
    """
    if clause.tie == "thanks":
        return "down" if before else toward or "down"
    if clause.tie == "forward" or not before:
        return "up"
    liked = cue_pattern(language, "preferring").search(before) or not phrases(before, language)
    return "up" if liked else "down"
