"""What processes write to standard error, and report to Sentry: nothing that people said."""

from typing import Any

# Never at DEBUG, where these log what they send, which is what people said.
NEVER_AT_DEBUG = (
    *("anthropic", "openai", "deepgram", "websockets", "httpx", "httpcore"),
    *("django.db.backends", "redis"),
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


def config(format_name: str, level: str) -> dict[str, Any]:
    loggers = dict.fromkeys(("interviewsite", "interviews", "llm"), "INFO")
    loggers |= dict.fromkeys(NEVER_AT_DEBUG, "INFO" if level == "DEBUG" else level)
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {format_name: FORMATS[format_name]},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": format_name}},
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
    )
