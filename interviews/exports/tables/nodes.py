"""One row a node: something that was said in an interview whose graph is drawn while it runs."""

from collections.abc import Callable, Iterator
from datetime import datetime
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from interviews.exports.columns import Column, Table, Type
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, by_session, keys, session_columns
from interviews.exports.utterances import CHUNK, IN_ORDER
from interviews.ladders import ladder_of
from interviews.models import Node
from interviews.protocols.laddering.exports.rows import spaced


class Kept(NamedTuple):
    """One node as stored."""

    session_id: UUID
    key: str
    text: str
    type: str
    elements: list[str]
    created_turn: int
    position: int
    positions: list[int]
    at: datetime


class Said(NamedTuple):
    """One node with its session and its rung."""

    session: Facts
    node: Kept
    rung: int | None


COLUMNS = (
    *("session_id", "key", "text", "type", "elements", "created_turn"),
    *("entry__position", "positions", "entry__at"),
)


def rows(chosen: Selection) -> Iterator[Said]:
    """Every node, in the order in which they came up."""
    for batch in batches(chosen.with_content()):
        nodes = Node.objects.filter(session__in=keys(batch)).order_by(*IN_ORDER, "id")
        kept = map(Kept._make, nodes.values_list(*COLUMNS).iterator(chunk_size=CHUNK))
        for session, of_session in by_session(batch, kept):
            if of_session:
                rungs = ladder_of(session.session.plan_id).by_type
                for node in of_session:
                    rung = rungs.get(node.type)
                    yield Said(session, node, rung.number if rung else None)


def _of(name: str) -> Callable[[Said], Any]:
    return attrgetter(f"node.{name}")


NODES: Table[Said] = Table(
    "nodes",
    "One row a node of the graph of a laddering interview: something that was said, once, however "
    "often it was said.",
    (
        *session_columns(),
        Column("node", Type.STRING, "Key of the node in its interview, such as n1.", _of("key")),
        Column("text", Type.STRING, "What was said, in short.", _of("text")),
        Column("type", Type.STRING, "Its type, by the methodology's ladder.", _of("type")),
        Column(
            "rung",
            Type.INTEGER,
            "Where that type stands on the ladder, from 1, the lowest.",
            attrgetter("rung"),
        ),
        Column(
            "elements",
            Type.STRING,
            "Ids of the concept's elements that it speaks of, with spaces between.",
            lambda row: spaced(row.node.elements),
        ),
        Column("created_turn", Type.INTEGER, "Turn in which it came up.", _of("created_turn")),
        Column(
            "position",
            Type.INTEGER,
            "Place in the transcript of the answer in which it came up.",
            _of("position"),
        ),
        Column(
            "positions",
            Type.STRING,
            "Places of all answers that it comes from, with spaces between.",
            lambda row: spaced(row.node.positions),
        ),
        Column("at", Type.DATETIME, "When it came up.", _of("at")),
    ),
    rows,
    shared=SHARED,
)
