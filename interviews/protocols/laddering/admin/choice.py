"""Why a question was asked, and what an answer brought to the graph, for the trace of a turn."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from django.urls import reverse

from interviews.exports.reasons import READERS
from interviews.models import Session
from interviews.protocols.laddering.ladders import in_words, material_of
from interviews.protocols.laddering.signals.base import SIGNALS
from interviews.protocols.laddering.signals.moment import ELEMENT, JUST_SAID

SHOWN_HERE = {  # parts of a turn's details that have a place of their own
    *("strategy", "focus", "why", "chosen", "read_by", "fallback", "graph"),
    *("exhausted", "exhaustion", "signals", "table", "considered", "at_hand", "meant"),
}


class Link(NamedTuple):
    text: str
    url: str


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
    def _plan_names(self) -> dict[str, str]:
        material = material_of(self._plan)
        if material is None:
            return {}
        elements = {ELEMENT + one.id: one.label for one in material.concept.elements}
        return elements | {one.id: one.name for one in material.methodology.strategies}

    def node(self, key: str) -> Link:
        return Link(self._texts.get(key, key), f"{self.url}#{key}")

    def focus(self, key: str) -> str:
        if key == JUST_SAID:
            return "what was just said"
        return self._texts.get(key) or self._plan_names.get(key, key.removeprefix(ELEMENT))

    def strategy(self, key: str) -> str:
        return self._plan_names.get(key) or in_words(key)

    def said_at(self, position: int) -> list[Link]:
        return [self.node(one.key) for one in self.nodes if position in one.positions]


def choice_of(details: Mapping[str, Any], names: GraphNames) -> dict[str, Any] | None:
    if "table" not in details or "graph" not in details:
        return None
    strategy, focus = details.get("strategy", ""), details.get("focus", "")
    asked, change = _asked(details), details["graph"]
    return {
        "strategy": names.strategy(strategy) if strategy else "",
        "focus": names.focus(focus),
        "why": details.get("why", ""),
        "instead_of": _first_choice(details, asked, names),
        "at_hand": bool(details.get("at_hand")),  # chosen while the answer was still being read
        "just_said": asked[1] == JUST_SAID,  # whatever that became in the graph
        "read_by": [(n, READERS.get(by, by)) for n, by in details.get("read_by", {}).items()],
        "by_template": bool(details.get("fallback")),
        "added": [names.node(key) for key in change.get("added", ())],
        "again": [names.node(key) for key in change.get("merged", ())],
        "tied": [_tie(edge, names) for edge in change.get("tied", ())],
        "refused": change.get("refused", ()),
        "exhausted": ", ".join(names.focus(key) for key in details.get("exhausted", ())),
        "asked": next((row for row in _scored(details, names) if row["asked"]), None),
        "scored": len(details["table"]),
    }


def scores_of(details: Mapping[str, Any], names: GraphNames) -> dict[str, Any]:
    """Return what is loaded when it is opened: a long interview has thousands of lines of it."""
    return {
        "focus": names.focus(details.get("focus", "")),
        "signals": [_signal(name, value) for name, value in details.get("signals", {}).items()],
        "table": list(_scored(details, names)),
        "considered": details.get("considered", 0),
    }


def _asked(details: Mapping[str, Any]) -> tuple[str, str]:
    return details.get("strategy", ""), details.get("meant", details.get("focus", ""))


def _first_choice(details: Mapping[str, Any], asked: tuple[str, str], names: GraphNames) -> str:
    chosen = tuple(details.get("chosen", ()))
    if not asked[0] or not chosen or chosen == asked:
        return ""
    strategy, focus = names.strategy(chosen[0]), names.focus(chosen[1])
    return f"{strategy} at “{focus}”" if focus else strategy


def _tie(edge: Sequence[str], names: GraphNames) -> str:
    source, target, relation = edge
    return f"“{names.focus(source)}” {relation.replace('_', ' ')} “{names.focus(target)}”"


def _signal(name: str, value: Any) -> dict[str, Any]:
    meaning = SIGNALS[name].description if name in SIGNALS else ""
    return {"name": name, "value": value, "meaning": meaning}


def _scored(details: Mapping[str, Any], names: GraphNames) -> Iterator[dict[str, Any]]:
    """Yield the scored pairs of strategy and node with their names."""
    for row in details.get("table", ()):
        yield {
            **row,
            "strategy": names.strategy(row["strategy"]),
            "focus": names.focus(row["focus"]),
            "asked": (row["strategy"], row["focus"]) == _asked(details),
        }


def without_choice(details: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in details.items() if name not in SHOWN_HERE}
