"""HTTP and websockets through one application.

What may not serve is refused when this is imported: servers such as daphne ask no checks.
"""

import os

from channels.routing import ProtocolTypeRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "interviewsite.settings")
pages = get_asgi_application()  # first: what follows needs the apps to be loaded

from interviews.participant.routing import websockets  # noqa: E402
from interviewsite.checks import refuse_what_must_not_serve  # noqa: E402
from interviewsite.processes.background import WithBackground, hold_alone  # noqa: E402

refuse_what_must_not_serve()
hold_alone()
application = WithBackground(ProtocolTypeRouter({"http": pages, "websocket": websockets}))
