"""`manage.py serve`: pages, API, websockets and, without Redis, the background work.

They are served by a child, which is started again if it dies.
"""

import asyncio
import multiprocessing
import os
import signal
import socket
import sys
import threading
from argparse import ArgumentParser
from multiprocessing.context import ForkProcess
from multiprocessing.synchronize import Event
from typing import Any

from daphne.server import Server
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connections

from interviewsite.processes import background
from interviewsite.processes.environment import env

MOST_FRAME = 64 * 1024  # bytes; a page sends next to nothing over its websocket
SHOWN = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "::1": "[::1]"}  # noqa: S104


class Command(BaseCommand):
    help = "Serve the site (HOST and PORT by environment or option)."
    requires_system_checks: list[str] = []  # those that matter run with the application's import

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=env.str("HOST", "127.0.0.1"))
        parser.add_argument("--port", type=int, default=env.int("PORT", 8000))
        parser.add_argument("--setup", action="store_true", help="Set up what has changed first.")

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        _check_address(host, port)
        background.lock_data_dir()
        if options["setup"]:
            call_command("setup", static=True, stdout=self.stdout)
        connections.close_all()
        sys.exit(self._supervise(host, port))

    def _supervise(self, host: str, port: int) -> int:
        """Serve for as long as nobody stops it; return the child's exit code."""
        context = multiprocessing.get_context("fork")
        while True:
            ready = context.Event()
            child = context.Process(target=self._serve, args=(host, port, ready))
            child.start()
            stopped = _pass_on_stop(child)
            child.join()
            code = child.exitcode or 0
            if stopped or not code or not ready.is_set():
                return code if code >= 0 else 128 - code
            self.stderr.write(f"The process that served has ended ({code}). Starting another one.")

    def _serve(self, host: str, port: int, is_ready: Event) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        threading.Thread(target=_end_with_parent, daemon=True).start()
        from interviewsite.asgi import application

        def ready() -> None:
            is_ready.set()
            asyncio.get_event_loop().call_soon(background.start)
            address = f"http://{SHOWN.get(host, host)}:{port}"
            self.stdout.write(f"\n  Interviews   {address}/\n  Admin        {address}/admin/\n")
            self.stdout.flush()

        interface = host.replace(":", r"\:")
        Server(
            application,
            endpoints=[f"tcp:port={port}:interface={interface}"],
            ready_callable=ready,
            server_name="interviewsite",
            websocket_max_message_size=MOST_FRAME,
            websocket_max_frame_size=MOST_FRAME,
        ).run()


def _pass_on_stop(child: ForkProcess) -> list[int]:
    """Return a list that is filled when somebody stops this process, and so the child.

    A terminal's Ctrl-C reaches the child by itself.
    """
    stopped: list[int] = []

    def stop(number: int, frame: object) -> None:
        stopped.append(number)
        if number == signal.SIGTERM:
            child.terminate()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    return stopped


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _check_address(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except (OSError, OverflowError) as error:
        reason = str(getattr(error, "strerror", error)).partition(" (while")[0]
        raise SystemExit(
            f"Can't listen on {host}, port {port}: {reason}. Stop what listens there, or change "
            f"PORT (set {env.origin('PORT')}) or HOST."
        ) from None
