"""Codebooks of studies, excerpts of interviews under their codes, and suggestions of a model."""
