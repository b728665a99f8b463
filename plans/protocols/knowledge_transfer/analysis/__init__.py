"""Preparing a knowledge transfer: documents, what they say, and a backlog drafted from them.

Without a model, documents are still read, and people write the backlog.
"""
