"""What is measured of the graph and the interview after each answer.

A new signal is one function in `talk` or `nodes`: its name in its pool, its values, what they mean
and how it is read. Methodology files may weigh it from then on.
"""

from interviews.protocols.laddering.signals import nodes, talk
from interviews.protocols.laddering.signals.base import SIGNALS

__all__ = ["SIGNALS", "nodes", "talk"]
