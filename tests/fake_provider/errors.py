"""Error replies: status, headers and body of each fault before the stream."""

import time
from email.utils import formatdate

from aiohttp import web

from tests.fake_provider.faults import Fault
from tests.fake_provider.wire import Wire

TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    500: "api_error",
    503: "api_error",
    529: "overloaded_error",
}
SPEND = {"anthropic": "enforced_spend_limit_reached", "openai": "insufficient_quota"}


def error_reply(wire: Wire, fault: Fault) -> web.Response:
    """The HTTP reply that is this fault."""
    match fault.kind:
        case "rate_limit":
            return _reply(wire, 429, "Slow down", headers=_retry_after(fault.argument))
        case "overloaded":
            return _reply(wire, 529, "Overloaded")
        case "spend_limit":
            return _reply(wire, 429, "A limit was reached", code=SPEND[wire.name])
        case "credit":
            return _reply(wire, 400, "Your credit balance is too low")
        case "no_schema":
            return _reply(wire, 400, "response_format / output_config is not supported here")
    return _reply(wire, int(fault.number), "Something is wrong, sk-secret-0123456789")


def refusal(wire: Wire, complaint: str) -> web.Response:
    """The 400 of a server that does not like the request."""
    return _reply(wire, 400, complaint)


def _reply(
    wire: Wire, status: int, message: str, code: str = "", headers: dict[str, str] | None = None
) -> web.Response:
    body = wire.error(status, TYPES.get(status, "api_error"), message, code)
    return web.json_response(body, status=status, headers=headers)


def _retry_after(argument: str) -> dict[str, str]:
    if argument.startswith("date:"):
        when = time.time() + float(argument.removeprefix("date:"))
        return {"retry-after": formatdate(when, usegmt=True)}
    return {"retry-after": argument} if argument else {}
