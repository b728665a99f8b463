"""Laddering: an interview that builds a graph while it talks, and asks where the graph leads.

    protocol.py is where to begin; context.py names the stages of a turn

    graph/      what was said, as nodes and edges: growing, measures, coverage, states of nodes
    signals/    what is measured of graph and talk; each signal is one class
    choosing/   which strategy goes on at which node, and why
    rules/      reading an answer, and asking, without a model
    exports/    the graph as rows, GraphML, an implication matrix, a hierarchical value map
    rows.py     how what is new in the graph is saved; ladders.py reads it
    admin/      the pages of graphs and ladders

All of it is pure but the stored graphs: rows, ladders, their exports and their admin.
"""

from interviews.protocols.laddering.protocol import PROTOCOL

__all__ = ["PROTOCOL"]
