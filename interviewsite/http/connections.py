"""Limits on HTTP connections before any request has reached the application.

A request that arrives byte by byte, or not at all, costs a connection and a file descriptor. So
each part of a request has a time to be here, and one address may keep so many connections waiting;
the one that has waited longest makes room for the next.
"""

import resource
import sys
from typing import Any

from daphne import cli, server
from daphne.access import AccessLogGenerator
from daphne.http_protocol import HTTPFactory
from django.conf import settings
from twisted.internet.endpoints import serverFromString
from twisted.internet.protocol import connectionDone
from twisted.web.http import HTTPChannel

from interviews.security import client_ip

HEADERS = 15  # seconds from a connection, or from a request's first byte, to the end of its headers
BODY = 300  # seconds from there to the end of its body
DESCRIPTORS = 65_536  # asked for, as far as the system allows
BACKLOG = 1_024  # connections that the system holds until they are taken; who is refused loses 1 s
_waiting: dict[str, dict["HTTPConnection", None]] = {}  # by address, the longest waiting first


def install() -> None:
    """Let Daphne use these limits, however it is started."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if most == resource.RLIM_INFINITY else min(DESCRIPTORS, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    HTTPFactory.protocol = HTTPConnection
    server.serverFromString = _endpoint
    cli.AccessLogGenerator = _access_log


def _endpoint(reactor: Any, description: str) -> Any:
    if description.startswith("tcp:") and "backlog=" not in description:
        description += f":backlog={BACKLOG}"
    return serverFromString(reactor, description)


def _access_log(stream: Any) -> AccessLogGenerator | None:
    """Return none for standard output: Daphne writes one there unless told not to.

    Addresses hold panel IDs, interviews and what staff search for. `--access-log FILE` writes them.
    """
    return None if stream is sys.stdout else AccessLogGenerator(stream)


def most_waiting() -> int:
    """Return how many connections of one address may wait for a request.

    They never take more than a quarter of the descriptors.
    """
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return min(int(settings.SOCKETS_PER_ADDRESS), descriptors // 4)


class HTTPConnection(HTTPChannel):
    """A connection that waits for a request, or on which one is answered."""

    transport: Any
    _address = ""
    _deadline: Any = None  # the call that ends it

    def connectionMade(self) -> None:
        super().connectionMade()
        self._address = client_ip.bucket(str(getattr(self.transport.getPeer(), "host", "")), "")
        self._begin_to_wait()
        self._expect_within(HEADERS)

    def dataReceived(self, data: bytes) -> None:
        if self._deadline is None and not self._handlingRequest:  # the next request begins
            self._expect_within(HEADERS)
        super().dataReceived(data)

    def allHeadersReceived(self) -> None:
        self._expect_within(BODY)
        super().allHeadersReceived()

    def allContentReceived(self) -> None:
        self._stop_waiting()
        super().allContentReceived()

    def requestDone(self, request: Any) -> None:
        if self.persistent:  # idle until the next one; Twisted has a limit for that
            self._begin_to_wait()
        super().requestDone(request)

    def connectionLost(self, reason: Any = connectionDone) -> None:
        self._stop_waiting()
        super().connectionLost(reason)

    def _begin_to_wait(self) -> None:
        if settings.TRUSTED_PROXIES:  # all connections are the proxy's
            return
        waiting = _waiting.setdefault(self._address, {})
        waiting[self] = None
        if len(waiting) > most_waiting():
            longest = next(iter(waiting))
            del waiting[longest]
            longest.transport.abortConnection()

    def _stop_waiting(self) -> None:
        self._expect_within(None)
        waiting = _waiting.get(self._address, {})
        waiting.pop(self, None)
        if not waiting:
            _waiting.pop(self._address, None)

    def _expect_within(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.callLater(seconds, self._be_late)

    def _be_late(self) -> None:
        self._deadline = None
        self.transport.abortConnection()
