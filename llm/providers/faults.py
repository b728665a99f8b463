"""Turns HTTP statuses, error types and codes into faults."""

import math
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from llm.providers.base import Fault, ProviderError

BY_STATUS = {
    401: Fault.ACCESS,
    402: Fault.SPEND_LIMIT,
    403: Fault.ACCESS,
    429: Fault.RATE_LIMIT,
    529: Fault.OVERLOADED,
}
BY_TYPE = {
    "overloaded_error": Fault.OVERLOADED,
    "rate_limit_error": Fault.RATE_LIMIT,
    "billing_error": Fault.SPEND_LIMIT,
    "authentication_error": Fault.ACCESS,
    "permission_error": Fault.ACCESS,
    "invalid_request_error": Fault.BAD_REQUEST,
    "not_found_error": Fault.BAD_REQUEST,
}
MONEY = re.compile(
    r"spend(ing)?.?limit|insufficient.?quota|credit.?balance|billing.(hard.limit|not.active)", re.I
)


def status_error(
    status: int, kind: str, code: str, message: str, headers: Mapping[str, str]
) -> ProviderError:
    """Return the error for a reply with that HTTP status, error type, code and message.

    An error event in a stream has the stream's status 200; then the type decides.
    """
    fault = _fault(status, kind)
    if fault in (Fault.RATE_LIMIT, Fault.BAD_REQUEST) and MONEY.search(f"{kind} {code} {message}"):
        fault = Fault.SPEND_LIMIT
    return ProviderError(fault, f"{status} {message}", retry_after=retry_after(headers))


def _fault(status: int, kind: str) -> Fault:
    if status < 400:
        return BY_TYPE.get(kind, Fault.SERVER)
    if status in BY_STATUS:
        return BY_STATUS[status]
    return Fault.SERVER if status >= 500 else Fault.BAD_REQUEST


def retry_after(headers: Mapping[str, str]) -> float | None:
    if (milliseconds := _number(headers.get("retry-after-ms"))) is not None:
        return milliseconds / 1000
    value = headers.get("retry-after", "")
    if (seconds := _number(value)) is not None:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return max(0.0, number) if math.isfinite(number) else None
