"""Interviews with their codes as a REFI-QDA project (QDA-XML 1.0), for QDA software.

Protocols and other apps register where codes come from (`codes`).
"""
