"""Whole sites as processes: served, killed, cut off and started again, as in production."""
