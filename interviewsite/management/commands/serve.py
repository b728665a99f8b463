"""`manage.py serve`: pages, API, websockets and, without Redis, the background work."""

import asyncio
from argparse import ArgumentParser
from typing import Any

import environ
from daphne.server import Server
from django.core.management.base import BaseCommand

from interviewsite.asgi import application
from interviewsite.processes import background

MOST_FRAME = 64 * 1024  # bytes; a page sends next to nothing over its websocket


class Command(BaseCommand):
    help = "Serve the site (HOST and PORT by environment or option)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        env = environ.Env()
        parser.add_argument("--host", default=env.str("HOST", "127.0.0.1"))
        parser.add_argument("--port", type=int, default=env.int("PORT", 8000))

    def handle(self, *args: Any, **options: Any) -> None:
        background.lock_data_dir()
        interface = options["host"].replace(":", r"\:")
        Server(
            application,
            endpoints=[f"tcp:port={options['port']}:interface={interface}"],
            ready_callable=lambda: asyncio.get_event_loop().call_soon(background.start),
            server_name="interviewsite",
            websocket_max_message_size=MOST_FRAME,
            websocket_max_frame_size=MOST_FRAME,
        ).run()
