"""The graph for researchers. The two tables are registered here."""

from interviews.exports.registry import register
from interviews.protocols.laddering.exports.edges import EDGES
from interviews.protocols.laddering.exports.nodes import NODES

register(NODES, EDGES, position=70)
