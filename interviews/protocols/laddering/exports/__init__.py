"""The graph for researchers. The tables are registered here."""

from interviews.exports.registry import register
from interviews.protocols.laddering.exports.decisions import DECISIONS
from interviews.protocols.laddering.exports.nodes import EDGES, NODES

register(NODES, EDGES, DECISIONS, position=70)
