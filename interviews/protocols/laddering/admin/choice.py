"""Why a question was asked where a graph leads, and what an answer brought to the graph."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.urls import reverse

from interviews.exports.reasons import READERS
from interviews.models import Session
from interviews.protocols.laddering.admin.diagram import one_of
from interviews.protocols.laddering.ladders import in_words, material_of
from interviews.protocols.laddering.signals.base import SIGNALS
from interviews.protocols.laddering.signals.moment import ELEMENT, JUST_SAID

SAID_HERE = {  # parts of a turn's details that have a place of their own
    *("strategy", "focus", "why", "chosen", "read_by", "fallback", "graph"),
    *("exhausted", "exhaustion", "signals", "table", "considered", "at_hand", "meant"),
}


@dataclass(frozen=True)
class Link:
    """A node with the address of its place in the drawing."""

    text: str
    url: str


@dataclass(frozen=True)
class SignalView:
    """One signal as it was."""

    name: str
    value: Any
    meaning: str


@dataclass(frozen=True)
class Scored:
    """One pair of strategy and node, with what its score is made of."""

    strategy: str
    focus: str
    score: float
    phase: float
    bonus: float
    because: Mapping[str, float]
    asked: bool


@dataclass(frozen=True)
class ChoiceView:
    """What was chosen after an answer, and why."""

    strategy: str
    focus: str
    why: str
    instead_of: str  # the pair that was chosen first, where another one was asked
    at_hand: bool  # chosen while the answer was still being read
    just_said: bool  # about what was just said, whatever that became in the graph
    read_by: Sequence[tuple[str, str]]
    by_template: bool
    added: Sequence[Link]
    again: Sequence[Link]
    tied: Sequence[str]
    refused: Sequence[Mapping[str, str]]
    exhausted: str
    signals: Sequence[SignalView]
    table: Sequence[Scored]
    considered: int

    @property
    def asked(self) -> Scored | None:
        """The pair that was asked, with what spoke for it."""
        return next((one for one in self.table if one.asked), None)


class GraphNames:
    """What ids in the traces of one interview stand for."""

    def __init__(self, session: Session) -> None:
        self.nodes = list(session.nodes.all())
        self._plan = session.plan_id
        self.url = reverse("admin:interviews_session_graph", args=[session.pk])

    @cached_property
    def _texts(self) -> dict[str, str]:
        return {node.key: node.text for node in self.nodes}

    @cached_property
    def _given(self) -> dict[str, str]:
        """Strategies and elements, by their names in the plan."""
        material = material_of(self._plan)
        if material is None:
            return {}
        elements = {ELEMENT + one.id: one.label for one in material.concept.elements}
        return elements | {one.id: one.name for one in material.methodology.strategies}

    def node(self, key: str) -> Link:
        """A node that an answer brought."""
        return Link(self._texts.get(key, key), f"{self.url}#{key}")

    def focus(self, key: str) -> str:
        """What a question was about: a node, or an element; empty for nothing in particular."""
        if key == JUST_SAID:
            return "what was just said"
        return self._texts.get(key) or self._given.get(key, key.removeprefix(ELEMENT))

    def strategy(self, key: str) -> str:
        return self._given.get(key) or in_words(key)

    def said_at(self, position: int) -> list[Link]:
        """The nodes that an answer speaks of."""
        return [self.node(one.key) for one in self.nodes if position in one.positions]


def choice_of(details: Mapping[str, Any], names: GraphNames) -> ChoiceView | None:
    """What a turn's details tell of a choice; None where nothing was chosen by a graph."""
    if "table" not in details or "graph" not in details:
        return None
    strategy, focus = details.get("strategy", ""), details.get("focus", "")
    asked = (strategy, details.get("meant", focus))
    change = details["graph"]
    return ChoiceView(
        strategy=names.strategy(strategy) if strategy else "",
        focus=names.focus(focus),
        why=details.get("why", ""),
        instead_of=_instead(details, asked, names),
        at_hand=bool(details.get("at_hand")),
        just_said=asked[1] == JUST_SAID,
        read_by=[(name, READERS.get(by, by)) for name, by in details.get("read_by", {}).items()],
        by_template=bool(details.get("fallback")),
        added=[names.node(key) for key in change.get("added", ())],
        again=[names.node(key) for key in change.get("merged", ())],
        tied=[_tie(edge, names) for edge in change.get("tied", ())],
        refused=change.get("refused", ()),
        exhausted=one_of(names.focus(key) for key in details.get("exhausted", ())),
        signals=_signals(details.get("signals", {})),
        table=[_scored(row, names, asked) for row in details["table"]],
        considered=details.get("considered", 0),
    )


def _instead(details: Mapping[str, Any], asked: tuple[str, str], names: GraphNames) -> str:
    """The first choice, where it was not the one that was asked."""
    chosen = tuple(details.get("chosen", ()))
    if not asked[0] or not chosen or chosen == asked:
        return ""
    return _pair(names.strategy(chosen[0]), names.focus(chosen[1]))


def _pair(strategy: str, focus: str) -> str:
    return f"{strategy} at “{focus}”" if focus else strategy


def _tie(edge: Sequence[str], names: GraphNames) -> str:
    source, target, relation = edge
    words = relation.replace("_", " ")
    return f"“{names.focus(source)}” {words} “{names.focus(target)}”"


def _signals(values: Mapping[str, Any]) -> list[SignalView]:
    return [
        SignalView(name, value, SIGNALS[name].description if name in SIGNALS else "")
        for name, value in values.items()
    ]


def _scored(row: Mapping[str, Any], names: GraphNames, asked: tuple[str, str]) -> Scored:
    return Scored(
        strategy=names.strategy(row["strategy"]),
        focus=names.focus(row["focus"]),
        score=row["score"],
        phase=row["phase"],
        bonus=row["bonus"],
        because=row["because"],
        asked=(row["strategy"], row["focus"]) == asked,
    )


def without_choice(details: Mapping[str, Any]) -> dict[str, Any]:
    """The details that are told nowhere else."""
    return {name: value for name, value in details.items() if name not in SAID_HERE}
