"""The graph for researchers. The tables are registered here."""

from interviews.exports.refi_qda.codes import register_codes
from interviews.exports.registry import register
from interviews.protocols.laddering.exports.decisions import DECISIONS
from interviews.protocols.laddering.exports.nodes import EDGES, NODES, rungs

register(NODES, EDGES, DECISIONS, position=70)
register_codes(rungs)
