"""The graph of what was said.

types       nodes, edges, the graph, and what an answer comes to
meaning     whether two short texts mean the same
linking     which elements of the concept a text speaks of
growing     a graph and an extraction -> the next graph, and what has changed
chains      the longest chain of distinct types
measures    counts, depth, coverage
states      what the talk has done at each node
"""
