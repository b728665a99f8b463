"""Processes of the tests' own; none of them outlives the tests."""

import asyncio
import atexit
import fcntl
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import gettempdir
from typing import BinaryIO

from tests.services import warm

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120.0  # seconds for something to start on a busy machine
LONGEST = 240.0  # and for a command to come to its end
OUTGOING = 32_768  # Linux's first port for outgoing connections
FOREIGN = (
    *("ANTHROPIC_", "OPENAI_", "LLM_", "TOGETHER_", "DICTATION_", "DEEPGRAM_"),
    *("TURN_", "PYTEST_", "OIDC_"),
)
FOREIGN_NAMES = {
    *("DATABASE_URL", "REDIS_URL", "WEB_CONCURRENCY", "HTTPS", "DEBUG", "SWEEP_EVERY"),
    *("MFA", "PASSWORD_LOGIN"),
}
LIMITS = (
    "ANSWERS",
    "STARTS",
    "LINK_STARTS",
    "POSTS",
    "WRONG_KEYS",
    "SOCKETS",
    "LOGINS",
    "PASSWORDS",
)
UNLIMITED = {f"LIMIT_{name}": "" for name in LIMITS}  # programs answer faster than people
_running: set["Process"] = set()
_taken: set[int] = set()  # ports


class Process:
    """One program with its children; `log` holds all that it has written, through restarts."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], log: Path) -> None:
        self.command = list(command)
        self.env = dict(env)
        self.log_file = log
        self.popen: subprocess.Popen[bytes] | warm.Warm | None = None

    def start(self) -> None:
        """Starts it, and waits until it is ready."""
        self.launch()
        wait_until(self.ready, PATIENCE, lambda: f"{self.command} did not start: {self.log()}")

    def launch(self) -> None:
        """Starts it without waiting; what still runs of it ends, or nobody would know of it."""
        if self.alive():
            self.kill()
        if warm.fits(self.command, self.env):
            self.popen = warm.Warm(self.command, self.env, self.log_file, self.log_file)
        else:
            with self.log_file.open("ab") as log:
                given = {"stdout": log, "stderr": log, "start_new_session": True}
                self.popen = subprocess.Popen(self.command, cwd=ROOT, env=self.env, **given)
        _running.add(self)

    def ready(self) -> bool:
        """Whether it does what it was started for; an error when it has ended instead."""
        if self.popen is not None and self.popen.poll() is not None:
            raise RuntimeError(f"{self.command} has ended: {self.log()[-3000:]}")
        return True

    def alive(self) -> bool:
        """Whether it was started and has not ended."""
        return self.popen is not None and self.popen.poll() is None

    def kill(self) -> None:
        """Dead at once, children too, in the middle of whatever they do."""
        self._signal(signal.SIGKILL)

    def stop(self) -> None:
        """Asked to end; killed when it takes too long."""
        self._signal(signal.SIGTERM)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """It stays, and does not answer."""
        assert self.popen is not None
        os.killpg(self.popen.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.killpg(self.popen.pid, signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self.popen is None:
            return
        for one in (number, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(self.popen.pid, one)
            with suppress(subprocess.TimeoutExpired):
                self.popen.wait(10)
                break
        with suppress(ProcessLookupError):  # children that stayed behind
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen = None
        _running.discard(self)

    def log(self) -> str:
        """What it has written until now."""
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""


@atexit.register
def _end_all() -> None:
    for process in list(_running):
        process.kill()


def environment(data: Path, **more: str) -> dict[str, str]:
    """A process's environment: this one's, without anything that another site might be set by."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(FOREIGN) and name not in FOREIGN_NAMES
    }
    return kept | {
        **UNLIMITED,
        "DATA_DIR": str(data),
        "SECRET_KEY": "only-for-tests-" + "x" * 50,
        "DATA_KEYS": "b25seS1mb3ItdGVzdHMtb25seS1mb3ItdGVzdHMtMTI=",
        "DJANGO_SETTINGS_MODULE": "interviewsite.settings",
        "LLM_PROVIDER": "offline",
        "LOG_LEVEL": "WARNING",
        "PYTHONUNBUFFERED": "1",
        "HOST": "127.0.0.1",
        "MOST_LATE": "60",  # on a busy machine
        **more,
    }


def python(*arguments: str) -> list[str]:
    """A command of this very Python."""
    return [sys.executable, *arguments]


def run(
    command: Sequence[str], env: Mapping[str, str], longest: float = LONGEST
) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end, whatever that is."""
    if warm.fits(command, env):
        return warm.run(command, env, longest)
    return subprocess.run(
        command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=longest, check=False
    )


def free_port() -> int:
    """Return a free port that the system doesn't give to outgoing connections.

    One of those could be taken before the server starts, or between two starts. For the same
    reason no other process that runs tests gets this port until this process ends.
    """
    ports = _ports()
    while True:
        port = 10_000 + secrets.randbelow(OUTGOING - 10_000)
        with suppress(OSError), socket.socket() as probe:
            fcntl.lockf(ports, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
            probe.bind(("", port))
            if port not in _taken:
                _taken.add(port)
                return port


@cache
def _ports() -> BinaryIO:
    """A file in which each byte stands for a port; whoever has locked the byte has the port."""
    return (Path(gettempdir()) / f"ports-of-interviewsite-tests-{os.getuid()}").open("wb")


def wait_until(
    true: Callable[[], object], seconds: float = PATIENCE, why: Callable[[], str] = str
) -> None:
    """Asks until it is so."""
    until = time.monotonic() + seconds
    while not true():
        if time.monotonic() > until:
            raise TimeoutError(f"not within {seconds} s. {why()}")
        time.sleep(0.05)


async def eventually(true: Callable[[], Awaitable[object]], seconds: float = 30) -> None:
    """The same for what has to be awaited."""
    async with asyncio.timeout(seconds):
        while not await true():  # noqa: ASYNC110  the other side is another process
            await asyncio.sleep(0.05)
