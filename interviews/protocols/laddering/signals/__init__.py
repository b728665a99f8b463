"""What is measured of the graph and the interview after each answer.

A new signal is one class in the module of its pool: its name, its values, what they mean, and how
it is read. Methodology files may weigh it from then on.
"""

from interviews.protocols.laddering.signals import answer, graph, meta, nodes, temporal
from interviews.protocols.laddering.signals.base import SIGNALS, Signal

__all__ = ["SIGNALS", "Signal", "answer", "graph", "meta", "nodes", "temporal"]
