"""Sends one event to one address, signed as standardwebhooks.com describes it.

The receiver checks `webhook-signature`: HMAC-SHA256 over id, timestamp and body. A delivery is made
at least once; its id stays the same.
"""

import asyncio
import base64
import hashlib
import hmac
import json
import secrets
import socket
import time
from datetime import timedelta
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlsplit

import httpx
from django.conf import settings
from django.utils import timezone

from interviews.models import WebhookDelivery
from interviews.security.sealing import unseal
from plans.jobs import UNDER_WAY, Cancelled, JobFailed, JobType, PermanentFailure, celery_task

TASK = "interviews.tasks.deliver_webhook"
PREFIX = "whsec_"
TIMEOUT = 10.0  # seconds for a delivery, however slowly its answer trickles in
MOST_ATTEMPTS = 12  # over seventeen hours
KEPT = timedelta(days=30)
GONE = 410
RIGHT = "interviews.add_webhook"
NAT64 = IPv6Network("64:ff9b::/96")  # IPv4 addresses, as networks with IPv6 alone reach them


class BadAddress(ValueError):
    """The message says why nothing may be sent to the address."""


def new_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def signature(secret: str, message_id: str, timestamp: str, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def checked(url: str) -> tuple[str, str, int, str]:
    """Return scheme, host, port and an IP address to send to. Raises BadAddress.

    Private networks are refused unless WEBHOOKS_PRIVATE allows them. Send to the address that is
    returned: asked again, the name might stand for another one.
    """
    try:
        parts, host = urlsplit(url), httpx.URL(url).raw_host.decode()  # ASCII, as DNS has it
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except (ValueError, httpx.InvalidURL):
        raise BadAddress("This is no web address.") from None
    allowed = ("https", "http") if settings.WEBHOOKS_PRIVATE else ("https",)
    if parts.scheme not in allowed or not host or parts.username:
        raise BadAddress("The address must begin with https:// and contain no password.")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise BadAddress(f"There is no server named {parts.hostname}.") from None
    addresses = [str(one[4][0]) for one in found]
    if not settings.WEBHOOKS_PRIVATE and not all(map(_is_public, addresses)):
        allowed_by = "Whoever operates the site can allow it."
        raise BadAddress(f"{parts.hostname} is in a private network. {allowed_by}")
    return parts.scheme, host, port, addresses[0]


def _is_public(address: str) -> bool:
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address) and (ip.ipv4_mapped or ip in NAT64):
        ip = IPv4Address(int(ip) & 0xFFFFFFFF)
    inside = getattr(ip, "is_site_local", False)  # the forerunner of fd00::, global to Python
    return ip.is_global and not ip.is_multicast and not inside


def _deliver(row: WebhookDelivery) -> dict[str, Any]:
    hook = row.webhook
    if not (hook.is_active and hook.user.has_perm(RIGHT)):
        raise Cancelled
    said = {"type": row.event, "timestamp": row.created_at.isoformat(), "data": row.data}
    body, now = json.dumps(said).encode(), str(int(time.time()))
    signed = signature(unseal(hook.secret), str(row.key), now, body)
    headers = {
        "content-type": "application/json",
        "user-agent": f"Interviewsite/{settings.VERSION}",
        "webhook-id": str(row.key),
        "webhook-timestamp": now,
        "webhook-signature": signed,
    }
    status = _post(hook.url, body, headers)
    if status == GONE:
        raise PermanentFailure("The address answered 410: it wants no more.")
    if not 200 <= status < 300:
        raise JobFailed(f"The address answered {status}.")
    return {"content": {"status": status}}


def _post(url: str, body: bytes, headers: dict[str, str]) -> int:
    """Raises JobFailed."""
    try:
        scheme, host, port, ip = checked(url)
        target = httpx.URL(url, scheme=scheme, host=ip, port=port)
        headers |= {"host": httpx.URL(url).netloc.decode()}
        asked = {"headers": headers, "content": body, "extensions": {"sni_hostname": host}}
        return asyncio.run(_status_of(target, asked))
    except BadAddress as error:
        raise JobFailed(str(error)) from None
    except TimeoutError:
        raise JobFailed(f"The address didn’t answer within {TIMEOUT:.0f} seconds.") from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise JobFailed(f"The address can’t be reached: {type(error).__name__}.") from None


async def _status_of(target: httpx.URL, asked: dict[str, Any]) -> int:
    async with (
        asyncio.timeout(TIMEOUT),
        httpx.AsyncClient(timeout=TIMEOUT, trust_env=False) as client,
        client.stream("POST", target, **asked) as response,
    ):
        return response.status_code


_job_type = JobType(WebhookDelivery, _deliver, celery_task(TASK), most_attempts=MOST_ATTEMPTS)
deliver = _job_type.run
enqueue_on_commit = _job_type.enqueue_on_commit


def deliver_apart(pk: int) -> None:
    """Deliver in a thread of its own: a slow address takes no slot of the worker."""
    _job_type.run_apart(pk)


def sweep(at_once: bool = False) -> int:
    old = WebhookDelivery.objects.filter(created_at__lt=timezone.now() - KEPT)
    old.exclude(status__in=UNDER_WAY).delete()
    return _job_type.sweep(at_once)
