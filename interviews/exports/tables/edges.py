"""One row an edge: that one thing that was said is tied to another."""

from collections.abc import Callable, Iterator
from datetime import datetime
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from interviews.exports.columns import Column, Table, Type
from interviews.exports.selection import Selection
from interviews.exports.sessions import SHARED, Facts, batches, by_session, keys, session_columns
from interviews.exports.utterances import CHUNK, IN_ORDER
from interviews.models import Edge
from interviews.protocols.laddering.exports.rows import spaced


class Kept(NamedTuple):
    """One edge as stored, with its ends."""

    session_id: UUID
    source: str
    source_text: str
    source_type: str
    relation: str
    target: str
    target_text: str
    target_type: str
    position: int
    positions: list[int]
    at: datetime


class Tied(NamedTuple):
    """One edge with its session."""

    session: Facts
    edge: Kept


COLUMNS = (
    *("session_id", "source__key", "source__text", "source__type", "relation"),
    *("target__key", "target__text", "target__type"),
    *("entry__position", "positions", "entry__at"),
)


def rows(chosen: Selection) -> Iterator[Tied]:
    """Every edge, in the order in which they came up."""
    for batch in batches(chosen.with_content()):
        edges = Edge.objects.filter(session__in=keys(batch)).order_by(*IN_ORDER, "id")
        kept = map(Kept._make, edges.values_list(*COLUMNS).iterator(chunk_size=CHUNK))
        for session, of_session in by_session(batch, kept):
            yield from (Tied(session, edge) for edge in of_session)


def _of(name: str) -> Callable[[Tied], Any]:
    return attrgetter(f"edge.{name}")


EDGES: Table[Tied] = Table(
    "edges",
    "One row an edge of the graph of a laddering interview: that one node is tied to another.",
    (
        *session_columns(),
        Column("source", Type.STRING, "Key of the node that it leads from.", _of("source")),
        Column("source_text", Type.STRING, "What that node says.", _of("source_text")),
        Column("source_type", Type.STRING, "The type of that node.", _of("source_type")),
        Column(
            "relation",
            Type.STRING,
            "How the two are tied, by the methodology's relations.",
            _of("relation"),
        ),
        Column("target", Type.STRING, "Key of the node that it leads to.", _of("target")),
        Column("target_text", Type.STRING, "What that node says.", _of("target_text")),
        Column("target_type", Type.STRING, "The type of that node.", _of("target_type")),
        Column(
            "position",
            Type.INTEGER,
            "Place in the transcript of the answer that first tied them.",
            _of("position"),
        ),
        Column(
            "positions",
            Type.STRING,
            "Places of all answers that tie them, with spaces between.",
            lambda row: spaced(row.edge.positions),
        ),
        Column("at", Type.DATETIME, "When they were first tied.", _of("at")),
    ),
    rows,
    shared=SHARED,
)
