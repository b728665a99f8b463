"""A PostgreSQL backend that recovers at once when the server was down, and waits for no silent one.

Every connection is tested before use; after a dead one the whole pool is checked. The pool's own
check (CONN_HEALTH_CHECKS) waits a second after the first dead connection, two after the next, and
so on: after a restart of the server requests would fail for half a minute.

A server that hangs keeps its connections open, and its machine confirms what arrives: only a clock
on this side notices.
"""

from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg.errors import _WaitTimeout

SIGN_OF_LIFE = 3.0  # seconds for an answer to an empty query


class Silent(psycopg.OperationalError):
    """The server hasn't answered in time; the connection is closed."""


class Connection(psycopg.Connection[Any]):
    patience: float | None = None  # seconds for a query; set in processes that serve

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        try:
            return super().wait(gen, interval, timeout or self.patience)
        except _WaitTimeout:
            self.pgconn.finish()
            raise Silent("PostgreSQL doesn't answer") from None


class DatabaseWrapper(base.DatabaseWrapper):
    def __init__(self, settings_dict: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        super().__init__(settings_dict, *args, **kwargs)
        if pool := settings_dict["OPTIONS"].get("pool"):
            pool["connection_class"] = Connection

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        pool = self.pool
        if pool is None:
            return connection
        try:
            if _is_alive(connection):
                return connection
        except Silent:
            pool.putconn(connection)
            raise
        pool.putconn(connection)  # replaces it
        pool.check()  # replaces the other dead ones
        return super().get_new_connection(conn_params)


def _is_alive(connection: Connection) -> bool:
    """Raises Silent."""
    connection.patience = SIGN_OF_LIFE
    try:
        connection.execute("")
    except Silent:
        raise
    except psycopg.Error:
        return False
    del connection.patience  # that of all
    return True
