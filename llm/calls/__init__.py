"""One call to a model: read while it streams, parsed, repaired, logged."""
