"""What is wrong with this site, part by part, and what to do about it.

Each examination yields findings: one line each, for `manage.py doctor` and System › Health.
"""

import asyncio
import os
import shutil
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import httpx
from django.conf import settings
from django.core.cache import cache
from django.core.checks import run_checks
from django.core.mail import get_connection
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http.request import validate_host
from redis import Redis, ResponseError

from interviews.security.key_rotation import unreadable
from interviewsite.celery import app
from interviewsite.checks import START
from interviewsite.http.health import WORKER_SEEN
from llm.calls.call import redact_keys
from llm.providers import PROVIDERS
from llm.providers.base import Fault, ModelRequest, Provider, ProviderError
from llm.routing.routes import has_model, provider_name
from llm.tasks.task import Message, Tier

OK, WARNING, FAULT = "ok", "warning", "fault"
PATIENCE = 10.0  # seconds for one answer from elsewhere
ROOM = 2**30  # bytes that should be free
MOST_APART = 5  # seconds between two clocks; codes of a second factor allow 30
RENEWED_BY = 14  # days before its end a certificate should have been renewed
WORD = "Say OK."


@dataclass(frozen=True, slots=True)
class Finding:
    part: str
    state: str
    text: str
    advice: str = ""

    def __str__(self) -> str:
        line = f"{self.state:<8} {self.part}: {self.text}"
        return f"{line} {self.advice}".rstrip()


def examine() -> Iterator[Finding]:
    """Yield what each examination finds; those that ask others may take some seconds each."""
    failed = [problem for problem in run_checks(tags=[START]) if problem.is_serious()]
    for problem in failed:
        yield Finding("Settings", FAULT, str(problem.msg), problem.hint or "")
    if settings.DEBUG:
        advice = "Remove DEBUG."
        yield Finding("Settings", FAULT, "DEBUG shows settings and code to visitors.", advice)
    if not failed:
        yield Finding("Settings", OK, "all can be used.")
    for part, look in EXAMINATIONS.items():
        try:
            yield from (Finding(part, *found) for found in look())
        except Exception as error:  # whatever a part's client raises is what is wrong with it
            yield Finding(part, FAULT, f"{type(error).__name__}: {redact_keys(str(error))}.")


Found = Iterator[tuple[str, ...]]  # state, text, advice


def _database() -> Found:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if waiting:
        yield FAULT, f"{len(waiting)} migrations haven't run.", "Run `manage.py migrate`."
    else:
        yield OK, f"{connection.display_name} answers, and all migrations have run."
    if connection.vendor == "postgresql":
        yield from _statements()


def _statements() -> Found:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('log_min_error_statement'), "
            "current_setting('log_error_verbosity')"
        )
        if cursor.fetchone() != ("panic", "terse"):
            text = "PostgreSQL's log holds statements that fail, with people's words in them."
            yield WARNING, text, "Run the two ALTER DATABASE of docs/operators.md."


def _keys() -> Found:
    if kinds := unreadable():
        text = f"none of DATA_KEYS opens the oldest of: {', '.join(kinds)}."
        yield FAULT, text, "Add the key that was used, such as from the copy that you keep."
    else:
        yield OK, "DATA_KEYS opens what is stored."


def _redis() -> Found:
    if not settings.REDIS_URL:
        yield OK, "not used: one process serves and does all background work."
        return
    with Redis.from_url(settings.REDIS_URL, socket_timeout=PATIENCE) as redis:
        try:
            redis.set(f"{settings.CACHES['default']['KEY_PREFIX']}:doctor", "", ex=1)
        except ResponseError as error:
            advice = "Give it memory (maxmemory), or its disk room."
            yield FAULT, f"it stores nothing: {str(error).rstrip('.')}.", advice
            return
    yield OK, "answers."


def _workers() -> Found:
    if not settings.REDIS_URL:
        return
    taken = app.control.inspect(timeout=2.0).active_queues() or {}
    if not taken:
        yield FAULT, "no worker answers.", "Start one: `celery -A interviewsite worker`."
        return
    known = {queue["name"] for queues in taken.values() for queue in queues}
    missing = {queue.name for queue in settings.CELERY_TASK_QUEUES} - known
    if missing:
        names = ", ".join(sorted(missing))
        yield FAULT, f"none takes from {names}.", "Start one without -Q, or name the queue in -Q."
    else:
        yield OK, f"{len(taken)} at work, on all queues."
    if cache.get(WORKER_SEEN):
        yield OK, "beat asks for sweeps."
    else:
        yield (
            FAULT,
            "none has swept for a minute: beat isn't running, or all slots hold long jobs.",
            "Start `celery -A interviewsite beat`, or a worker with `-Q celery,alerts,letters`.",
        )


def _model() -> Found:
    if not has_model():
        advice = "Set ANTHROPIC_API_KEY or OPENAI_API_KEY for an interviewer that understands more."
        yield WARNING, "none is configured: rules lead the interviews.", advice
        return
    provider = PROVIDERS[provider_name()]
    for tier in Tier:
        model = provider.model(tier)
        request = ModelRequest("doctor", model, "", (Message("user", WORD),), max_tokens=16)
        try:
            asyncio.run(asyncio.wait_for(_ask(provider, request), 2 * PATIENCE))
        except ProviderError as error:
            advice = MENDS.get(error.fault, "Try again; if it stays so, ask the provider.")
            yield FAULT, f"{model}: {redact_keys(str(error))}.", advice
        except TimeoutError:
            yield FAULT, f"{model} doesn't answer.", "Check the network and the base URL."
        else:
            yield OK, f"{model} answers."


MENDS = {
    Fault.ACCESS: "Correct the key in the environment or .env, and restart.",
    Fault.BAD_REQUEST: "Check the model's name (*_CHAT_MODEL, *_FAST_MODEL).",
    Fault.SPEND_LIMIT: "Add credit at the provider.",
    Fault.CONNECTION: "Check the network and the base URL.",
}


async def _ask(provider: Provider, request: ModelRequest) -> None:
    async for _ in provider.stream(request):
        pass


def _mail() -> Found:
    if not settings.EMAIL_URL:
        text = "no mail server: invitations wait, and nobody is told of somebody in distress."
        yield WARNING, text, "Set EMAIL_URL and SITE_URL."
        return
    try:
        server: Any = get_connection()
        server.open()
        server.close()
    except OSError as error:  # smtplib's are, too
        yield FAULT, f"the mail server refuses: {error}.", "Correct EMAIL_URL."
    else:
        yield OK, "the mail server takes our name and password."


def _storage() -> Found:
    folder = settings.DATA_DIR
    unwritable = [path for path in (folder, *folder.iterdir()) if not os.access(path, os.W_OK)]
    if unwritable:
        advice = f"Make {folder} and its files the property of the account that runs the site."
        yield FAULT, f"{unwritable[0]} can't be written.", advice
    elif folder.stat().st_mode & 0o077:
        yield FAULT, f"other accounts can read {folder}.", f"Run `chmod 700 {folder}`."
    else:
        yield OK, f"{folder} is ours alone."
    if not any(settings.STATIC_ROOT.iterdir()):
        yield FAULT, "pages have no styles.", "Run `manage.py collectstatic --noinput`."


def _disk() -> Found:
    free = shutil.disk_usage(settings.DATA_DIR).free
    size = f"{free / 2**30:.1f} GB free in {settings.DATA_DIR}"
    if free < ROOM:
        yield FAULT, f"only {size}.", "Make room: with a full disk no answer can be stored."
    else:
        yield OK, f"{size}."


def _clock() -> Found:
    ours, theirs, whose = time.time(), 0.0, ""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
            theirs, whose = float(cursor.fetchone()[0]), "PostgreSQL's"
    elif settings.REDIS_URL:
        with Redis.from_url(settings.REDIS_URL, socket_timeout=PATIENCE) as redis:
            theirs, whose = float(redis.time()[0]), "Redis's"
    if not whose:
        yield OK, f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC; there is no other to compare."
    elif abs(ours - theirs) > MOST_APART:
        apart = f"ours and {whose} are {abs(ours - theirs):.0f} s apart."
        yield FAULT, apart, "Set both by NTP: `timedatectl set-ntp true`."
    else:
        yield OK, f"ours and {whose} agree."


def _site() -> Found:
    """Look at the site as a browser does: from outside, through the proxy."""
    site = urlsplit(settings.SITE_URL)
    if not site.hostname:
        yield WARNING, "SITE_URL isn't set, so nobody knows its address.", "Set SITE_URL."
        return
    if not validate_host(site.hostname, settings.ALLOWED_HOSTS):
        text = f"{site.hostname} isn't among ALLOWED_HOSTS, so every page is refused."
        yield FAULT, text, "Add it."
        return
    if site.scheme != "https":
        text = (
            f"{settings.SITE_URL} isn't encrypted: no dictation, no passkeys, and words in clear."
        )
        yield WARNING, text, "Put a proxy with TLS before it (deploy/proxy), and set HTTPS=1."
    else:
        yield from _certificate(site.hostname, site.port or 443)
    yield from _proxy(settings.SITE_URL)


def _certificate(host: str, port: int) -> Found:
    try:
        with (
            socket.create_connection((host, port), PATIENCE) as plain,
            ssl.create_default_context().wrap_socket(plain, server_hostname=host) as secure,
        ):
            ends = ssl.cert_time_to_seconds(str((secure.getpeercert() or {})["notAfter"]))
    except ssl.SSLError as error:
        yield FAULT, f"browsers refuse its certificate: {error.reason}.", "Renew or correct it."
        return
    except OSError:  # nobody answers, as _proxy says
        return
    days = (ends - time.time()) / 86_400
    if days < RENEWED_BY:
        yield WARNING, f"its certificate ends in {days:.0f} days.", "See why it wasn't renewed."
    else:
        yield OK, f"its certificate holds for {days:.0f} days."


def _proxy(url: str) -> Found:
    try:
        response = httpx.get(f"{url}/healthz", timeout=PATIENCE)
    except httpx.HTTPError as error:
        yield FAULT, f"{url} doesn't answer: {error}.", "See whether proxy and web processes run."
        return
    if response.is_redirect and response.headers["location"] == str(response.url):
        text = "it redirects for ever: the proxy doesn't say that browsers use https."
        yield FAULT, text, "Let the proxy set X-Forwarded-Proto (deploy/proxy)."
        return
    try:
        told = response.json()
        forwarded, secure = told["forwarded"], told["secure"]
    except (ValueError, KeyError, TypeError):
        text = f"{url}/healthz answers {response.status_code}, but not as this site."
        yield FAULT, text, "See where the proxy sends requests."
        return
    yield from _headers(forwarded, secure)
    yield from _websockets(url)


def _headers(forwarded: int, secure: bool) -> Found:
    if secure and not settings.HTTPS:
        yield FAULT, "cookies aren't limited to https.", "Set HTTPS=1."
    if forwarded != settings.TRUSTED_PROXIES:
        text = (
            f"{forwarded} proxies name the client in X-Forwarded-For, and TRUSTED_PROXIES is "
            f"{settings.TRUSTED_PROXIES}, so limits count wrong addresses."
        )
        yield FAULT, text, f"Set TRUSTED_PROXIES={forwarded}, if all of them are yours."
    else:
        yield OK, "answers, and the proxy's headers are as configured."


def _websockets(url: str) -> Found:
    # A single failure may be the site's: a page gets over it by connecting again.
    if _is_upgraded(url) or _is_upgraded(url):
        yield OK, "websockets come through."
    else:
        text = "websockets don't come through: words arrive late, and whole."
        yield FAULT, text, "Let the proxy pass on Upgrade and Connection (deploy/proxy)."


def _is_upgraded(url: str) -> bool:
    """Ask for the websocket of an interview that there can't be: the site itself refuses it."""
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Origin": url,
    }
    address = f"{url}/ws/s/00000000-0000-0000-0000-000000000000/"
    try:
        with httpx.stream("GET", address, headers=upgrade, timeout=PATIENCE) as response:
            return response.status_code in (101, 403)
    except httpx.HTTPError:
        return False


EXAMINATIONS: dict[str, Callable[[], Found]] = {
    "Database": _database,
    "Keys": _keys,
    "Redis": _redis,
    "Background work": _workers,
    "Model": _model,
    "E-mail": _mail,
    "Storage": _storage,
    "Disk": _disk,
    "Clock": _clock,
    "Site": _site,
}
