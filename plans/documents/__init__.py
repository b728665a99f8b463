"""Documents that people hand over: their text in parts, and the sentences that stand out.

A document is read by a library for its type in a process of its own, with limits on bytes, memory
and time. Nothing in it is executed, calculated or fetched. A document that can't be read raises
`Unreadable`, whose message is for the person who chose the file.
"""

from plans.documents.extract import Point, summary
from plans.documents.problems import Reason, Unreadable
from plans.documents.reader import read
from plans.documents.types import FileKind, PlacedText, ReadDocument, Unit
