"""Many interviews at once."""
