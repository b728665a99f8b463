"""The graph as researchers take it along.

rows        nodes and edges, as rows of a table
graphml     the graph as GraphML
pooling     the graphs of several interviews, with what means the same taken together
matrix      the implication matrix of them
value_map   the hierarchical value map, from a cut-off on
"""
