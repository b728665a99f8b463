"""The parts' phrases in groups, and which group leads to which.

A reason is told in two ways. “I like the light because it rests my eyes”: what is liked leads to
the reason, which is what it is good for. “I sleep well because it is quiet”: the reason leads to
what was said. What is liked, wanted or used tells them apart. A part that names nothing (“it is
important to me because …”) stands for what the talk was about before.
"""

from dataclasses import dataclass, field
from typing import Literal

from interviews.protocols.laddering.rules.clauses import Clause, Tie
from interviews.protocols.laddering.rules.cue_words import listed
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
    """Groups of phrases in the order in which they were said, and pairs: first leads to second.

    Reasons are those of the pairs that “because” ties, which may lead the other way.
    """

    groups: list[list[Phrase]] = field(default_factory=list)
    pairs: list[tuple[int, int]] = field(default_factory=list)
    reasons: set[tuple[int, int]] = field(default_factory=set)

    def before(self, group: int) -> list[int]:
        """The groups that lead to one."""
        return [source for source, target in self.pairs if target == group]

    def tied_to(self, group: int) -> set[int]:
        """All groups that a thread connects with one, which is not among them."""
        found = {group}
        for _ in self.pairs:  # so often at most until the thread's end is reached
            found |= {end for pair in self.pairs if found & set(pair) for end in pair}
        return found - {group}


def threads(sentences: list[list[Clause]], technique: str, language: str) -> PhraseThreads:
    """The groups of all sentences. The first one answers the question by its technique."""
    found = PhraseThreads()
    current = FOCUS
    for number, clauses in enumerate(sentences):
        toward = TOWARD.get(technique, "") if number == 0 else ""
        current = _sentence(found, clauses, current, toward, language)
    return found


def _sentence(
    found: PhraseThreads, clauses: list[Clause], current: int, toward: Toward, language: str
) -> int:
    """Adds one sentence; returns the group that the next one may go on from."""
    before = ""
    for clause in clauses:
        group = phrases(clause.words, language, clause.cue)
        if group and len(found.groups) < MOST:
            place = len(found.groups)
            found.groups.append(group)
            way = _way(clause, before, toward, language) if clause.tie else toward
            _pair(found, current, place, way, clause.tie)
            current = place
        before, toward = clause.words, "" if clause.words else toward
    return current


def _way(clause: Clause, before: str, toward: Toward, language: str) -> Toward:
    """Whether a part stands above or below the one that its cue ties it to.

    Who begins with a reason answers the question, and that says where the answer leads.
    """
    if clause.tie == "thanks":
        return "down" if before else toward or "down"
    if clause.tie == "forward" or not before:
        return "up"
    liked = listed(language, "preferring").search(before) or not phrases(before, language)
    return "up" if liked else "down"


def _pair(found: PhraseThreads, current: int, place: int, way: Toward, tie: Tie) -> None:
    if not way:
        return
    pair = (current, place) if way == "up" else (place, current)
    found.pairs.append(pair)
    if tie == "because" and current != FOCUS:
        found.reasons.add(pair)
