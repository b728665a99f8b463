"""Django's PostgreSQL backend, whose pool recovers at once when the server was away."""
