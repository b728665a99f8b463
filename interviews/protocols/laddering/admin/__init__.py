"""Graphs and ladders in the admin of interviews."""

from interviews.admin.sessions import SessionAdmin
from interviews.protocols.laddering.admin.extension import LadderingExtension

SessionAdmin.extend(LadderingExtension())
