"""What is measured of graph and talk after each answer.

    base        what a signal is; the registry that each finds its way into
    moment      all that a signal may look at
    graph, nodes, answer, temporal, meta    the signals of each pool
    detecting   a moment -> its signals, in two passes

A new signal is one class in the module of its pool: its name, what it can be, what that means, and
how it is read. Files of methodologies may weigh it from then on.
"""

from interviews.protocols.laddering.signals import answer, graph, meta, nodes, temporal
from interviews.protocols.laddering.signals.base import SIGNALS, Signal

__all__ = ["SIGNALS", "Signal", "answer", "graph", "meta", "nodes", "temporal"]
