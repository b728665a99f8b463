import tempfile
import zipfile
from collections.abc import Iterator

from interviews.exports.archive import CHUNK
from interviews.exports.database_cursor import one_snapshot
from interviews.exports.selection import Selection
from interviews.exports.sessions import batches, keys
from interviews.models import Session
from interviews.protocols.laddering.exports.graphml import graphml
from interviews.protocols.laddering.ladders import graph_of, graphs_of

MEDIA = "application/xml; charset=utf-8"


def graphml_of(session: Session) -> bytes:
    return graphml(graph_of(session)).encode()


def zip_graphs(chosen: Selection) -> Iterator[bytes]:
    """Yield pieces of a ZIP with a GraphML file for each chosen interview that has a graph."""
    with tempfile.TemporaryFile(prefix="graphs-") as out:
        with one_snapshot(), zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for batch in batches(chosen.with_content()):
                graphs = graphs_of(keys(batch))
                for row in batch:
                    graph, name = graphs[row.session.pk], f"{row.participant}_{row.session_id}"
                    if graph.nodes:
                        archive.writestr(f"{name}.graphml", graphml(graph))
        out.seek(0)
        while chunk := out.read(CHUNK):
            yield chunk
