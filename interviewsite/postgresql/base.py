"""A PostgreSQL backend whose pool recovers at once when the server was down.

Every connection is tested before use; after a dead one the whole pool is checked. The pool's own
check (CONN_HEALTH_CHECKS) waits a second after the first dead connection, two after the next, and
so on: after a restart of the server requests would fail for half a minute.
"""

from typing import Any

import psycopg
from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        pool = self.pool
        if pool is None or _is_alive(connection):
            return connection
        pool.putconn(connection)  # replaces it
        pool.check()  # replaces the other dead ones
        return super().get_new_connection(conn_params)


def _is_alive(connection: Any) -> bool:
    try:
        connection.execute("")
    except psycopg.Error:
        return False
    return True
