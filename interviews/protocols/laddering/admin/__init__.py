"""Graphs and ladders in the admin of interviews.

pages           the graph of one interview, and its download
graph           what that page shows
ladders_page    the ladders of several interviews; beside it forms, pooled and tables
diagram         a graph as it is drawn
choice          why a question was asked, for the trace of a turn
extension       what is added to the list and the page of interviews
"""

from interviews.admin.sessions import SessionAdmin
from interviews.protocols.laddering.admin.extension import LadderingExtension

SessionAdmin.extend(LadderingExtension())
