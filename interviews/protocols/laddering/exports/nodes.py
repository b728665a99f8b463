from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from interviews.exports.columns import Table, columns_of
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches, by_session, keys
from interviews.exports.utterances import CHUNK, IN_ORDER
from interviews.models import Node
from interviews.protocols.laddering.exports.rows import join_spaced
from interviews.protocols.laddering.ladders import ladder_of


class GraphNodeRow(NamedTuple):
    session: ExportedSession
    node: Annotated[str, "Key of the node in its interview, such as n1."]
    text: Annotated[str, "What was said, in short."]
    type: Annotated[str, "Its type, by the methodology's ladder."]
    rung: Annotated[int | None, "Where that type stands on the ladder, from 1, the lowest."]
    elements: Annotated[
        str, "Ids of the concept's elements that it speaks of, with spaces between."
    ]
    created_turn: Annotated[int, "Turn in which it came up."]
    position: Annotated[int, "Place in the transcript of the answer in which it came up."]
    positions: Annotated[str, "Places of all answers that it comes from, with spaces between."]
    at: Annotated[datetime, "When it came up."]


FIELDS = (
    *("session_id", "key", "text", "type", "elements", "created_turn"),
    *("entry__position", "positions", "entry__at"),
)


def rows(chosen: Selection) -> Iterator[GraphNodeRow]:
    for batch in batches(chosen.with_content()):
        nodes = Node.objects.filter(session__in=keys(batch)).order_by(*IN_ORDER, "id")
        stored = nodes.values_list(*FIELDS).iterator(chunk_size=CHUNK)
        for session, of_session in by_session(batch, stored):
            if of_session:
                yield from _nodes(session, of_session)


def _nodes(session: ExportedSession, stored: list[Any]) -> Iterator[GraphNodeRow]:
    rungs = ladder_of(session.session.plan_id).by_type
    for _, key, text, kind, elements, turn, position, positions, at in stored:
        rung = rungs[kind].number if kind in rungs else None
        rest = (join_spaced(elements), turn, position, join_spaced(positions), at)
        yield GraphNodeRow(session, key, text, kind, rung, *rest)


NODES = Table(
    "nodes",
    "One row a node of the graph of a laddering interview: something that was said, once, however "
    "often it was said.",
    columns_of(GraphNodeRow),
    rows,
)
