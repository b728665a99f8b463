"""Keeps the browser's event loop apart from those of other tests.

Playwright leaves its loop running in the thread of the tests, where no other may run then. Here it
counts as running only while a test with a browser does.
"""

import asyncio


class BrowserLoop:
    """The loop while it is put aside."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None

    def take(self) -> None:
        """From now on it runs in this thread."""
        if self._loop is not None:
            asyncio._set_running_loop(self._loop)

    def put_aside(self) -> None:
        """From now on no loop runs in this thread."""
        self._loop = asyncio._get_running_loop()
        asyncio._set_running_loop(None)
