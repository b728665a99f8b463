"""Laddering: an interview that builds a graph of what is said, and asks where the graph leads.

Begin with protocol.py; stages.py lists the stages of a turn. Only `rows`, `ladders`, `codes`,
`exports` and `admin` know the database.
"""

from interviews.protocols.laddering.protocol import PROTOCOL

__all__ = ["PROTOCOL"]
