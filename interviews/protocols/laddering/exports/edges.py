from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, NamedTuple

from interviews.exports.columns import Table, columns_of
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches, by_session, keys
from interviews.exports.utterances import CHUNK, IN_ORDER
from interviews.models import Edge
from interviews.protocols.laddering.exports.rows import join_spaced


class GraphEdgeRow(NamedTuple):
    session: ExportedSession
    source: Annotated[str, "Key of the node that it leads from."]
    source_text: Annotated[str, "What that node says."]
    source_type: Annotated[str, "The type of that node."]
    relation: Annotated[str, "How the two are tied, by the methodology's relations."]
    target: Annotated[str, "Key of the node that it leads to."]
    target_text: Annotated[str, "What that node says."]
    target_type: Annotated[str, "The type of that node."]
    position: Annotated[int, "Place in the transcript of the answer that first tied them."]
    positions: Annotated[str, "Places of all answers that tie them, with spaces between."]
    at: Annotated[datetime, "When they were first tied."]


FIELDS = (
    *("session_id", "source__key", "source__text", "source__type", "relation"),
    *("target__key", "target__text", "target__type"),
    *("entry__position", "positions", "entry__at"),
)


def rows(chosen: Selection) -> Iterator[GraphEdgeRow]:
    for batch in batches(chosen.with_content()):
        edges = Edge.objects.filter(session__in=keys(batch)).order_by(*IN_ORDER, "id")
        stored = edges.values_list(*FIELDS).iterator(chunk_size=CHUNK)
        for session, of_session in by_session(batch, stored):
            for _, *edge, positions, at in of_session:
                yield GraphEdgeRow._make((session, *edge, join_spaced(positions), at))


EDGES = Table(
    "edges",
    "One row an edge of the graph of a laddering interview: that one node is tied to another.",
    columns_of(GraphEdgeRow),
    rows,
)
