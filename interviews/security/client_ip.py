"""Where a request comes from, as far as the site's operator trusts proxies.

A client may write anything into `X-Forwarded-For`; each proxy appends the address that it was asked
from. So addresses count from the right: with one trusted proxy the last entry, with two the one
before it. Without proxies (the default) the header is ignored.
"""

from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any

from django.conf import settings
from django.http import HttpRequest

HEADER = b"x-forwarded-for"
LONGEST_HEADER = 2_000  # characters read, from its end
SUBSCRIBER = 64  # bits of an IPv6 network that belongs to one household or school
UNKNOWN = "unknown"


def of_request(request: HttpRequest) -> str:
    peer = str(request.META.get("REMOTE_ADDR") or "")
    return bucket(peer, str(request.META.get("HTTP_X_FORWARDED_FOR", "")))


def of_scope(scope: Mapping[str, Any]) -> str:
    client = scope.get("client") or ("",)
    lines = [value.decode("latin1") for name, value in scope["headers"] if name == HEADER]
    return bucket(str(client[0]), ",".join(lines))


def bucket(peer: str, forwarded: str) -> str:
    """Return an IPv4 address, the /64 network of an IPv6 one, or "unknown".

    `peer` asked this server; `forwarded` is the `X-Forwarded-For` header.
    """
    address = _parse_address(_client_entry(peer, forwarded, settings.TRUSTED_PROXIES))
    if not isinstance(address, IPv6Address):
        return str(address) if address else UNKNOWN
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(IPv6Network((int(address), SUBSCRIBER), strict=False))


def _client_entry(peer: str, forwarded: str, proxies: int) -> str:
    if proxies < 1:
        return peer
    names = [name.strip() for name in forwarded[-LONGEST_HEADER:].split(",") if name.strip()]
    return names[-proxies] if len(names) >= proxies else peer


def _parse_address(name: str) -> IPv4Address | IPv6Address | None:
    # proxies write it bare, with a port or in brackets
    if name.startswith("["):
        name = name[1:].partition("]")[0]
    elif name.count(":") == 1:
        name = name.partition(":")[0]
    try:
        return ip_address(name)
    except ValueError:
        return None
