"""Pages of participants: parse, act through turns, take a snapshot, render."""
