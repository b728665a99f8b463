"""How often something may be done, and how many websockets may be open."""
