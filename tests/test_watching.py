"""What monitors see: /metrics, logs as JSON lines, errors without anybody's words."""

import json
import logging.config
import re
import sys
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import httpx
import pytest
import sentry_sdk
from daphne import cli
from django.core.cache import cache
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pythonjsonlogger.json import JsonFormatter
from sentry_sdk.transport import HttpTransport

from interviewsite import settings as settings_file
from interviewsite.http import connections
from interviewsite.http.health import FOR_MONITORS
from interviewsite.http.metrics import SHARED
from interviewsite.operations import logs
from llm.concurrency.threads import in_database
from llm.models import Spending
from plans.models import Bot, Document
from tests.factories import CallFactory
from tests.interviews.talk import begin
from tests.services.processes import ROOT, environment, free_port, python, run

WORDS = "My brother drowned that summer."
TOKEN = {"HTTP_AUTHORIZATION": "Bearer a-token"}


@pytest.fixture
def watched(settings: Any) -> None:
    settings.METRICS_TOKEN = "a-token"


def figures(client: Any) -> dict[tuple[str, ...], float]:
    """What is told, by its name and labels."""
    cache.delete(SHARED)
    text = client.get("/metrics", **TOKEN).text
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.mark.parametrize(
    "given", [{}, {"HTTP_AUTHORIZATION": "Bearer another"}, {"HTTP_AUTHORIZATION": "Bearer ä"}]
)
def test_without_the_token_there_is_no_such_page(client: Any, watched: None, given: dict[str, str]):
    assert client.get("/metrics", **given).status_code == 404


def test_without_a_token_in_the_settings_there_is_no_such_page(client: Any, settings: Any):
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", HTTP_AUTHORIZATION="Bearer ").status_code == 404


@pytest.mark.django_db
def test_monitors_ask_each_process_by_its_own_address(client: Any, settings: Any, watched: None):
    settings.SECURE_SSL_REDIRECT = True
    settings.ALLOWED_HOSTS = ["interviews.example.org"]
    here = {"HTTP_HOST": "127.0.0.1:8001"}
    for path in FOR_MONITORS:
        assert client.get(path, **TOKEN, **here).status_code == 200
    assert client.get("/", secure=True, **here).status_code == 400
    assert client.get("/", HTTP_HOST="interviews.example.org").status_code == 301


@pytest.mark.django_db(transaction=True)
async def test_turns_sessions_and_jobs_are_counted(client: Any, watched: None, bot: Bot):
    before = await in_database(figures, client)
    talk = await begin(bot)
    await talk.say("I grew up by the river, where my father mended boats.")
    after = await in_database(figures, client)

    def more(*name: str) -> float:
        return after.get(name, 0) - before.get(name, 0)

    assert more("interviewsite_turns_total", "life_story", "rules") >= 1
    assert more("interviewsite_turn_seconds_count") >= 1
    assert after["interviewsite_sessions", "WAITING_ANSWER"] == 1
    assert after["interviewsite_alerts_waiting",] == 0
    assert after["interviewsite_jobs", "Reflection", "failed"] == 0
    assert ("interviewsite_info", settings_file.VERSION) in after


@pytest.mark.django_db
def test_what_workers_do_is_counted(client: Any, watched: None, bot: Bot):
    now = timezone.now()
    for minutes in (1, 4, 6):
        ago = now - timedelta(minutes=minutes)
        CallFactory(task="summary", outcome="timeout", created_at=ago)
    Spending.objects.create(hour=now - timedelta(hours=2), cost="1.25")
    Document.objects.create(bot=bot, name="a.txt", size=1, digest="d" * 64, status="failed")
    found = figures(client)
    assert found["interviewsite_model_calls", "timeout", "summary"] == 2
    assert found["interviewsite_spent_dollars",] == 1.25
    assert found["interviewsite_jobs", "Document", "failed"] == 1


@pytest.mark.django_db
def test_figures_are_told_while_redis_is_away(client: Any, settings: Any, watched: None):
    url = f"redis://127.0.0.1:{free_port()}/0"
    settings.REDIS_URL = url
    backend = "django.core.cache.backends.redis.RedisCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": url}}
    text = client.get("/metrics", **TOKEN).text
    assert "interviewsite_worker_seen 0.0" in text
    assert "interviewsite_alerts_waiting 0.0" in text


def test_the_dashboard_and_the_alerts_use_figures_that_there_are(client: Any, watched: None, db):
    text = client.get("/metrics", **TOKEN).text
    families = {family.name for family in text_string_to_metric_families(text)}
    for name in ("dashboard.json", "alerts.yaml"):
        text = (ROOT / "deploy" / "monitoring" / name).read_text()
        used = set(re.findall(r"interviewsite_[a-z_]+", text))
        assert used
        assert {re.sub(r"_(total|bucket)$", "", one) for one in used} - {
            "interviewsite_info"
        } <= families


def test_a_line_of_the_log_is_json():
    config = logs.FORMATS["json"]
    assert config["()"] == "pythonjsonlogger.json.JsonFormatter"
    formatter = JsonFormatter(**{key: value for key, value in config.items() if key != "()"})
    record = logging.LogRecord("interviews", logging.WARNING, "", 1, "turn %s failed", (7,), None)
    line = json.loads(formatter.format(record))
    assert line.pop("time")
    assert line == {"level": "WARNING", "logger": "interviews", "message": "turn 7 failed"}


@pytest.mark.parametrize(
    ("level", "theirs"), [("DEBUG", "INFO"), ("INFO", "INFO"), ("WARNING", "WARNING")]
)
def test_requests_to_models_are_logged_only_where_it_is_asked_for(level: str, theirs: str):
    loggers = logs.config("plain", level)["loggers"]
    assert (loggers["httpx"], loggers["interviewsite"]) == ({"level": theirs}, {"level": "INFO"})


@pytest.mark.parametrize(
    ("reasons", "line"),
    [
        (("Not Found",), "Not Found: /s/<uuid:session_id>/"),
        (
            ("Referer checking failed - http://testserver/admin/?q=garden does not match",),
            "Referer checking failed: /s/<uuid:session_id>/",
        ),
    ],
)
def test_a_line_about_a_request_has_its_pattern(rf: Any, reasons: tuple[str, ...], line: str):
    request = rf.get("/s/garden/?PROLIFIC_PID=garden")
    request.resolver_match = Mock(route="s/<uuid:session_id>/")
    given = {"msg": "%s: %s", "args": (*reasons, request.path), "request": request}
    record = logging.makeLogRecord({"name": "django.request"} | given)
    assert logs.WithoutAddresses().filter(record)
    assert record.getMessage() == line
    assert "garden" not in repr(vars(record))


def test_a_client_of_daphne_has_no_address():
    asked = "<WebRequest at 0x7f method=GET uri=/s/garden/ clientproto=HTTP/1.1>"
    record = logging.makeLogRecord(
        {"name": "daphne.server", "msg": "%r for %s", "args": (1, asked)}
    )
    logs.WithoutAddresses().filter(record)
    assert record.getMessage() == "1 for a client"


def test_a_request_to_a_webhook_is_logged_without_its_address():
    url = httpx.URL("https://hooks.example.org/x?key=garden")
    record = logging.makeLogRecord({"name": "httpx", "msg": "%s %s", "args": ("POST", url)})
    logs.WithoutAddresses().filter(record)
    assert record.getMessage() == "POST https://hooks.example.org"


def test_daphne_writes_requests_only_to_a_file_that_was_named(tmp_path: Any):
    connections.install()
    assert cli.AccessLogGenerator(sys.stdout) is None
    with (tmp_path / "log").open("w") as named:
        assert cli.AccessLogGenerator(named).stream is named


def test_an_unknown_format_ends_the_start_with_one_line(tmp_path: Any):
    done = run(python("manage.py", "check"), environment(tmp_path, LOG_FORMAT="xml"))
    assert done.returncode == 1
    assert done.stderr.strip() == (
        "LOG_FORMAT (set in the environment) is 'xml', which isn't known. Use plain or json."
    )


def test_errors_are_reported_without_anybodys_words(monkeypatch: pytest.MonkeyPatch):
    sent: list[bytes] = []
    monkeypatch.setattr(
        HttpTransport, "capture_envelope", lambda _self, envelope: sent.append(envelope.serialize())
    )
    with sentry_sdk.isolation_scope():
        logs.report_errors("http://key@127.0.0.1:9/1", "1.0.0")
        scope = sentry_sdk.get_isolation_scope()
        scope.add_event_processor(lambda event, _: event | {"request": {"url": f"/?q={WORDS}"}})
        try:
            _fail(WORDS)
        except ValueError as error:
            sentry_sdk.capture_exception(error)
        sentry_sdk.flush()
        sentry_sdk.get_client().close()
    [body] = sent
    assert b"can't be stored" in body
    assert WORDS.encode() not in body


def _fail(words: str) -> None:
    logging.getLogger("interviews").info("words: %d", len(words))
    raise ValueError("the answer can't be stored")
