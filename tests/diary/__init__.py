"""A small sixth protocol, added from outside: two folders, and their lines in the tables."""
