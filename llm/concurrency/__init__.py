"""Event loops and threads: what belongs to one of them."""
