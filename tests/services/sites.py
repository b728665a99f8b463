"""Sites and workers as processes."""

import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import psutil

from tests.services.processes import Process, free_port, python

APPLICATION = "interviewsite.asgi:application"


class Site(Process):
    """A site at an address that stays the same through restarts."""

    def __init__(self, env: Mapping[str, str], application: str = "", name: str = "site") -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        served = python("manage.py", "serve", "--port", str(self.port))
        by_daphne = python("-m", "daphne", "-b", "127.0.0.1", "-p", str(self.port), application)
        log = Path(env["DATA_DIR"]) / f"{name}.log"
        super().__init__(by_daphne if application else served, env, log)

    @property
    def serving(self) -> int:
        """The id of the process that serves: `manage.py serve` has it as a child."""
        assert self.popen is not None
        return next((one.pid for one in psutil.Process(self.popen.pid).children()), self.popen.pid)

    def ready(self) -> bool:
        """Whether it answers."""
        return super().ready() and answers(f"{self.url}/healthz")


class Worker(Process):
    """A Celery worker, of the project's application or of one with places to be held at."""

    def __init__(
        self, env: Mapping[str, str], application: str = "interviewsite", name: str = "worker"
    ) -> None:
        options = ["worker", "--concurrency", "2", "--loglevel", "INFO"]
        options += ["--without-gossip", "--without-mingle"]
        log = Path(env["DATA_DIR"]) / f"{name}.log"
        super().__init__(python("-m", "celery", "-A", application, *options), env, log)
        self._starts = 0

    def launch(self) -> None:
        """Starts it without waiting."""
        self._starts = self._said()
        super().launch()

    def ready(self) -> bool:
        """Whether it takes tasks."""
        return super().ready() and self._said() > self._starts

    def _said(self) -> int:
        return self.log().count(" ready.")


class Beat(Process):
    """Celery beat."""

    def __init__(self, env: Mapping[str, str]) -> None:
        data = Path(env["DATA_DIR"])
        options = ["beat", "--loglevel", "INFO"]
        command = python("-m", "celery", "-A", "interviewsite", *options)
        super().__init__(command, env, data / "beat.log")


class Redis(Process):
    """A Redis server without a disk, that may be stopped and started."""

    def __init__(self, data: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        options = {"port": str(self.port), "bind": "127.0.0.1", "save": "", "appendonly": "no"}
        command = ["redis-server", *(part for k, v in options.items() for part in (f"--{k}", v))]
        super().__init__(command, {"PATH": "/usr/bin:/bin:/usr/local/bin"}, data / "redis.log")

    def ready(self) -> bool:
        """Whether it answers."""
        super().ready()
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as line:
            line.sendall(b"PING\r\n")
            return line.recv(16).startswith(b"+PONG")
        return False


def answers(url: str) -> bool:
    """Whether there is any answer at that address."""
    try:
        urlopen(url, timeout=5).close()
    except HTTPError:
        return True
    except (URLError, OSError):
        return False
    return True
