"""Where a request comes from, as the site's operator says it can be known.

A client may write into `X-Forwarded-For` whatever it likes; a proxy adds, at the end, the address
that it was asked from. So the address counts from the right: with one trusted proxy the last entry,
with two the one before it. Without proxies (the default) the header says nothing.
"""

from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any

from django.conf import settings
from django.http import HttpRequest

HEADER = b"x-forwarded-for"
LONGEST_HEADER = 2_000  # characters at its end that are looked at
SUBSCRIBER = 64  # bits of an IPv6 address that one household or school has for itself
UNKNOWN = "unknown"


def of_request(request: HttpRequest) -> str:
    """The bucket that a request's address falls in."""
    peer = str(request.META.get("REMOTE_ADDR") or "")
    return bucket(peer, str(request.META.get("HTTP_X_FORWARDED_FOR", "")))


def of_scope(scope: Mapping[str, Any]) -> str:
    """The same for a websocket's handshake."""
    client = scope.get("client") or ("",)
    lines = [value.decode("latin1") for name, value in scope["headers"] if name == HEADER]
    return bucket(str(client[0]), ",".join(lines))


def bucket(peer: str, forwarded: str) -> str:
    """An IPv4 address, or the /64 network of an IPv6 one; "unknown" where there is neither.

    In: who asked this server, and what `X-Forwarded-For` said.
    """
    found = _address(_named(peer, forwarded, settings.TRUSTED_PROXIES))
    if isinstance(found, IPv6Address):
        return _network(found)
    return str(found) if found else UNKNOWN


def _named(peer: str, forwarded: str, proxies: int) -> str:
    """The entry that the outermost trusted proxy wrote; the peer where there is none."""
    if proxies < 1:
        return peer
    names = [name.strip() for name in forwarded[-LONGEST_HEADER:].split(",") if name.strip()]
    return names[-proxies] if len(names) >= proxies else peer


def _address(name: str) -> IPv4Address | IPv6Address | None:
    """An address as proxies write it: bare, with a port or in brackets."""
    if name.startswith("["):
        name = name[1:].partition("]")[0]
    elif name.count(":") == 1:
        name = name.partition(":")[0]
    try:
        return ip_address(name)
    except ValueError:
        return None


def _network(address: IPv6Address) -> str:
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(IPv6Network((int(address), SUBSCRIBER), strict=False))
