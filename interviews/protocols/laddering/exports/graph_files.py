"""Graphs as GraphML: the one of an interview, or a ZIP with a file for each of several."""

import tempfile
import zipfile
from collections.abc import Iterator
from typing import IO

from interviews.exports.archive import CHUNK
from interviews.exports.database_cursor import one_snapshot
from interviews.exports.selection import Selection
from interviews.exports.sessions import ExportedSession, batches, keys
from interviews.models import Session
from interviews.protocols.laddering.exports.graphml import graphml
from interviews.protocols.laddering.ladders import graph_of, graphs_of

MEDIA = "application/xml; charset=utf-8"


def graphml_of(session: Session) -> bytes:
    """The graph of one interview."""
    return graphml(graph_of(session)).encode()


def zipped(chosen: Selection) -> Iterator[bytes]:
    """A ZIP, piece by piece, of the graphs of the chosen interviews that have one."""
    with tempfile.TemporaryFile(prefix="graphs-") as out:
        with one_snapshot(), zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for batch in batches(chosen.with_content()):
                _filed(archive, batch)
        yield from _pieces(out)


def _filed(archive: zipfile.ZipFile, batch: list[ExportedSession]) -> None:
    graphs = graphs_of(keys(batch))
    for facts in batch:
        graph = graphs[facts.session.pk]
        if graph.nodes:
            archive.writestr(f"{facts.participant}_{facts.session_id}.graphml", graphml(graph))


def _pieces(out: IO[bytes]) -> Iterator[bytes]:
    out.seek(0)
    while chunk := out.read(CHUNK):
        yield chunk
