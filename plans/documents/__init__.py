"""Documents that people hand over: their text in parts, and what stands out in it.

A document is read in a process of its own, with bounded bytes, memory and time, by a library that
knows its kind. Nothing in it is executed, calculated or fetched. What can't be read raises
`Unreadable`, whose words are for the person who chose the file.
"""

from plans.documents.extract import Point, summary
from plans.documents.problems import Reason, Unreadable
from plans.documents.reader import read
from plans.documents.types import FileKind, PlacedText, ReadDocument, Unit

__all__ = [
    "FileKind",
    "PlacedText",
    "Point",
    "ReadDocument",
    "Reason",
    "Unit",
    "Unreadable",
    "read",
    "summary",
]
