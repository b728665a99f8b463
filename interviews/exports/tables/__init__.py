"""A file per table."""
