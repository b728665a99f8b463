"""What must not be started."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from interviews import sealing
from plans import meaning


def refuse_what_must_not_serve() -> None:
    """The same for a server that asks no checks. Raises SystemExit."""
    problems = [
        *one_process_without_redis(),
        *own_secret(),
        *data_key(),
        *encoder_of_meaning(),
    ]
    if problems:
        raise SystemExit("\n".join(f"{problem.msg} {problem.hint}" for problem in problems))


@register
def one_process_without_redis(**_kwargs: Any) -> list[CheckMessage]:
    """News of a turn would not reach the pages that another process serves."""
    if settings.REDIS_URL or settings.WEB_PROCESSES == 1:
        return []
    return [
        Error(
            f"{settings.WEB_PROCESSES} web processes can't share the in-memory channel layer.",
            hint="Set REDIS_URL, or run one process (WEB_CONCURRENCY=1).",
            id="interviewsite.E001",
        )
    ]


@register
def own_secret(**_kwargs: Any) -> list[CheckMessage]:
    """With the default key anybody could sign an admin's session."""
    if settings.DEBUG or settings.SECRET_KEY != settings.INSECURE_KEY:
        return []
    return [
        Error(
            "The default secret key is in use.",
            hint="Set SECRET_KEY, or let `make run` generate one in DATA_DIR.",
            id="interviewsite.E002",
        )
    ]


@register
def data_key(**_kwargs: Any) -> list[CheckMessage]:
    """Without a key an answer that must be kept confidential can't be kept at all."""
    if settings.DEBUG and not settings.DATA_KEYS:
        return []
    try:
        sealing.keyring()
    except sealing.NoDataKey as error:
        return [
            Error(
                f"No key for confidential answers: {error}.",
                hint="Set DATA_KEYS, or let `make run` generate one in DATA_DIR.",
                id="interviewsite.E003",
            )
        ]
    return []


@register
def encoder_of_meaning(**_kwargs: Any) -> list[CheckMessage]:
    """What was switched on must be there before the first interview, not be missed in one."""
    if not settings.DUPLICATES_BY_MEANING or meaning.installed():
        return []
    return [
        Error(
            "DUPLICATES_BY_MEANING is on, but the optional part it needs is not installed.",
            hint="Install it with `.venv/bin/pip install '.[meaning]'`, or switch it off.",
            id="interviewsite.E004",
        )
    ]
