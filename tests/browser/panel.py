"""The server of a panel: people come back to it from an interview, and it notes how."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, urlsplit


@dataclass
class Visit:
    """One who came back."""

    path: str
    params: dict[str, str]
    headers: dict[str, str]


@dataclass
class Panel:
    """Where it is, and who came."""

    url: str
    visits: list[Visit] = field(default_factory=list)


@contextmanager
def panel_server() -> Iterator[Panel]:
    """Serves until the block ends."""
    panel = Panel("")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path != "/favicon.ico":
                params = dict(parse_qsl(parts.query, keep_blank_values=True))
                panel.visits.append(Visit(parts.path, params, dict(self.headers)))
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Panel</title><p>Noted.")

        def log_message(self, *args: Any) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    panel.url = f"http://localhost:{server.server_port}"  # another site than the interviews
    try:
        yield panel
    finally:
        server.shutdown()
        server.server_close()
