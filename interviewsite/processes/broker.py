"""Celery's connection to Redis."""

from typing import Any

from kombu.transport import redis
from redis.exceptions import ConnectionError as Gone


class Channel(redis.Channel):
    """A channel that tells of a closed connection as such.

    kombu 5.7 gives back what is not acknowledged over a connection that it has just let go of; the
    AttributeError from that ends the worker, where a connection error only makes it connect anew.
    """

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        if self.connection.client is None:
            raise Gone("The connection is closed.")
        found: dict[str, Any] = super()._connparams(asynchronous)  # type: ignore[no-untyped-call]
        return found


class Transport(redis.Transport):
    """kombu's own, with these channels."""

    Channel = Channel
