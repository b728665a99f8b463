"""Celery's connection to Redis."""

from typing import Any

from kombu.transport import redis
from redis.exceptions import ConnectionError as Gone


class Channel(redis.Channel):
    """A channel that reports a closed connection as such.

    kombu 5.7 returns unacknowledged messages over a connection it has just closed. The resulting
    AttributeError ends the worker; a connection error only makes it reconnect.
    """

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        if self.connection.client is None:
            raise Gone("The connection is closed.")
        params: dict[str, Any] = super()._connparams(asynchronous)  # type: ignore[no-untyped-call]
        return params


class Transport(redis.Transport):
    Channel = Channel
