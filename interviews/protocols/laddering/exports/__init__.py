"""The graph as researchers take it along. Its two tables are registered here.

nodes       a row for each node
edges       a row for each edge
rows        nodes and edges, as rows of a table
graphml     the graph as GraphML
graph_files the stored graphs of interviews as GraphML files
pooling     the graphs of several interviews, with what means the same taken together
matrix      the implication matrix of them
value_map   the hierarchical value map, from a cut-off on
"""

from interviews.exports.registry import register
from interviews.protocols.laddering.exports.edges import EDGES
from interviews.protocols.laddering.exports.nodes import NODES

register(NODES, EDGES, position=70)
