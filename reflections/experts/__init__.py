"""Experts: personas that a model plays, each reading a whole interview with its own focus."""
