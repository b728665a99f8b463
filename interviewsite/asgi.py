"""HTTP and websockets in one application.

Importing this exits if a check fails, since servers such as daphne run no checks.
"""

import gc
import os

import django
from channels.routing import ProtocolTypeRouter

from interviewsite.http import connections, in_loop

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interviewsite.settings")
in_loop.install()
connections.install()
django.setup(set_prefix=False)  # first: the imports below need the apps to be loaded

from interviews.participant.routing import websockets  # noqa: E402
from interviews.security.ratelimits.connections import RequestLimit  # noqa: E402
from interviewsite.checks import exit_on_failed_checks  # noqa: E402
from interviewsite.processes.background import WithBackground, lock_data_dir  # noqa: E402

exit_on_failed_checks()
lock_data_dir()
gc.freeze()
application = WithBackground(
    ProtocolTypeRouter({"http": RequestLimit(in_loop.Pages()), "websocket": websockets})
)
