"""Nodes and edges of graphs as tables; rungs and codes of answers for QDA software."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from interviews.exports.columns import Table, columns_of
from interviews.exports.refi_qda.codes import CodableInterview, Coding, below
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches, by_session, keys
from interviews.exports.utterances import CHUNK, IN_ORDER
from interviews.models import Edge, Node
from interviews.protocols.laddering.codes.assignment import codes_of
from interviews.protocols.laddering.codes.pooled_codes import StoredCode
from interviews.protocols.laddering.exports.graphml import join_spaced
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
    code_id: Annotated[
        int | None,
        "Number of its code, the same in all exports. Empty until the interview has ended and been "
        "coded.",
    ]
    code: Annotated[str | None, "What the code is called."]
    code_type: Annotated[str | None, "Type of the code, which a person may have corrected."]


NODE_FIELDS = (
    *("session_id", "key", "text", "type", "elements", "created_turn"),
    *("entry__position", "positions", "entry__at"),
)


def node_rows(chosen: Selection) -> Iterator[GraphNodeRow]:
    for batch in batches(chosen.with_content()):
        nodes = Node.objects.filter(session__in=keys(batch)).order_by(*IN_ORDER, "id")
        stored = nodes.values_list(*NODE_FIELDS).iterator(chunk_size=CHUNK)
        codes = codes_of(keys(batch))
        for session, of_session in by_session(batch, stored):
            if of_session:
                yield from _nodes(session, of_session, codes[session.session_id])


def _nodes(
    session: ExportedSession, stored: list[Any], codes: Mapping[str, StoredCode]
) -> Iterator[GraphNodeRow]:
    rungs = ladder_of(session.session.plan_id).by_type
    for _, key, text, kind, elements, turn, position, positions, at in stored:
        rung = rungs[kind].number if kind in rungs else None
        rest = (join_spaced(elements), turn, position, join_spaced(positions), at)
        code = codes.get(key)
        named = (code.key, code.text, code.type) if code else (None, None, None)
        yield GraphNodeRow(session, key, text, kind, rung, *rest, *named)


NODES = Table(
    "nodes",
    "One row a node of the graph of a laddering interview: something that was said, once, however "
    "often it was said.",
    columns_of(GraphNodeRow),
    node_rows,
)


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
    source_code_id: Annotated[int | None, "Number of the code of the node that it leads from."]
    target_code_id: Annotated[int | None, "Number of the code of the node that it leads to."]


EDGE_FIELDS = (
    *("session_id", "source__key", "source__text", "source__type", "relation"),
    *("target__key", "target__text", "target__type"),
    *("entry__position", "positions", "entry__at", "source__code_id", "target__code_id"),
)


def edge_rows(chosen: Selection) -> Iterator[GraphEdgeRow]:
    for batch in batches(chosen.with_content()):
        edges = Edge.objects.filter(session__in=keys(batch)).order_by(*IN_ORDER, "id")
        stored = edges.values_list(*EDGE_FIELDS).iterator(chunk_size=CHUNK)
        for session, of_session in by_session(batch, stored):
            for _, *edge, positions, at, source, target in of_session:
                told = (join_spaced(positions), at, source, target)
                yield GraphEdgeRow._make((session, *edge, *told))


EDGES = Table(
    "edges",
    "One row an edge of the graph of a laddering interview: that one node is tied to another.",
    columns_of(GraphEdgeRow),
    edge_rows,
)


def rungs(interviews: Sequence[CodableInterview]) -> Iterator[Coding]:
    """Code answers with the rungs of their nodes, and with the nodes' codes below these."""
    known = {one.key: one for one in interviews}
    nodes = Node.objects.filter(session__in=known).order_by("id")
    codes = codes_of(known)
    for node in nodes:
        one = known[node.session_id]
        ladder = ladder_of(one.session.session.plan_id, types=[node.type])
        code = codes[str(one.key)].get(node.key)
        rung = ladder.by_type[code.type if code and code.type in ladder.by_type else node.type]
        above = below(one.root("Rungs"), rung.id, f"{rung.number} {rung.name}", rung.meaning)
        for position in node.positions:
            yield Coding(one.key, position, above)
            if code:
                yield Coding(one.key, position, below(above, code.key, code.text))
