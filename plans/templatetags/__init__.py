"""Filters for pages of studies."""
