"""What processes write to standard error, and report to Sentry: nothing that people said.

Addresses of requests hold more than that: panel IDs, interviews, what staff search for.
"""

import logging
import re
from typing import Any

CONNECTION = re.compile(r"<Web(?s:.*)")  # Daphne's, written with its address

# Never at DEBUG, where these log what they send, which is what people said.
NEVER_AT_DEBUG = (
    *("anthropic", "openai", "deepgram", "websockets", "django.db.backends", "redis"),
    *("httpx", "httpx2", "httpcore", "httpcore2"),
)
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
FORMATS: dict[str, dict[str, object]] = {
    "plain": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
    "json": {
        "()": "pythonjsonlogger.json.JsonFormatter",
        "fmt": ["asctime", "levelname", "name", "message"],
        "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
    },
}


class WithoutAddresses(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        """Name the pattern of a request's address instead of the address."""
        request = record.__dict__.pop("request", None)  # which JSON lines would hold
        args: tuple[Any, ...] = record.args if isinstance(record.args, tuple) else ()
        if request is not None and args:  # Django's: a reason, perhaps, then the path
            *reasons, _path = args
            match = request.resolver_match
            pattern = f"/{match.route}" if match else "an unknown address"
            record.args = (*(str(reason).partition(" - ")[0] for reason in reasons), pattern)
        elif record.name.startswith("daphne"):
            record.args = tuple(
                CONNECTION.sub("a client", arg) if isinstance(arg, str) else arg for arg in args
            )
        elif record.name.startswith("httpx"):  # to models and webhooks, whose address may hold keys
            record.args = tuple(
                f"{arg.scheme}://{arg.host}" if hasattr(arg, "copy_with") else arg for arg in args
            )
        return True


def config(format_name: str, level: str) -> dict[str, Any]:
    loggers = dict.fromkeys(("interviewsite", "interviews", "llm"), "INFO")
    loggers |= dict.fromkeys(NEVER_AT_DEBUG, "INFO" if level == "DEBUG" else level)
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {format_name: FORMATS[format_name]},
        "filters": {"addresses": {"()": WithoutAddresses}},
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": format_name,
                "filters": ["addresses"],
            }
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {name: {"level": least} for name, least in loggers.items()},
    }


def report_errors(dsn: str, version: str) -> None:
    import sentry_sdk
    from sentry_sdk.integrations.celery import CeleryIntegration
    from sentry_sdk.integrations.django import DjangoIntegration

    sentry_sdk.init(
        dsn,
        release=version,
        auto_enabling_integrations=False,  # those of models' SDKs report prompts
        integrations=[DjangoIntegration(), CeleryIntegration()],
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        before_send=_without_request,
    )


def _without_request(event: Any, _hint: Any) -> Any:
    """Drop address, query and headers; `transaction` still names the pattern of the address."""
    event.pop("request", None)
    return event
