"""Every connection is tried before it is used; after a dead one the whole pool is looked through.

The pool's own check (CONN_HEALTH_CHECKS) waits a second after the first dead connection, two after
the next, and so on: after a restart of the server requests would fail for half a minute.
"""

from typing import Any

import psycopg
from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """See the module's docstring."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection that has just answered."""
        connection = super().get_new_connection(conn_params)
        pool = self.pool
        if pool is None or _answers(connection):
            return connection
        pool.putconn(connection)  # a dead one is replaced
        pool.check()  # and so are the others
        return super().get_new_connection(conn_params)


def _answers(connection: Any) -> bool:
    try:
        connection.execute("")
    except psycopg.Error:
        return False
    return True
