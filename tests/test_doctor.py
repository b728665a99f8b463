"""`manage.py doctor` finds what was planted, and says how to mend it."""

import json
import shutil
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import call_command
from django.urls import reverse
from redis import ResponseError

from interviews.models import Webhook
from interviews.security.sealing import new_key, seal
from interviewsite.http.health import WORKER_SEEN
from interviewsite.operations import doctor
from tests.certificates import write_certificate
from tests.fake_provider import FakeProvider
from tests.services.processes import free_port

pytestmark = pytest.mark.django_db
MANAGED = {"status": "alive", "secure": False, "forwarded": 1}


class Proxy(ThreadingHTTPServer):
    """What a browser meets at the site's address."""

    daemon_threads = True
    answer: Any = MANAGED
    websocket = 403
    fails_once = False
    location = ""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Answers(BaseHTTPRequestHandler):
    server: Proxy

    def do_GET(self) -> None:
        if self.headers["Upgrade"] and self.server.fails_once:
            self.server.fails_once = False
            self.send_response(500)
        elif self.headers["Upgrade"]:
            self.send_response(self.server.websocket)
        elif self.server.location:
            self.send_response(301)
            self.send_header("Location", self.server.location)
        else:
            self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(self.server.answer).encode())

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    with Proxy() as server:
        yield server
        server.shutdown()


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider() as provider:
        yield provider


@pytest.fixture(autouse=True)
def well(settings: Any, tmp_path: Path, proxy: Proxy, fake: FakeProvider) -> None:
    """A site without a fault: its model answers, its folder is private, its proxy is right."""
    folder = tmp_path / "data"
    (folder / "static").mkdir(parents=True)
    (folder / "static" / "site.css").touch()
    folder.chmod(0o700)
    settings.DATA_DIR, settings.STATIC_ROOT = folder, folder / "static"
    settings.SITE_URL, settings.TRUSTED_PROXIES = proxy.url, 1
    settings.ALLOWED_HOSTS = ["127.0.0.1", "testserver"]
    settings.LLM_PROVIDER, settings.ANTHROPIC_API_KEY = "anthropic", "sk-secret-0123456789"
    settings.ANTHROPIC_BASE_URL = fake.url


@pytest.fixture
def busy(settings: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Redis answers, and so does a worker that takes from all queues."""
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(doctor, "Redis", SimpleNamespace(from_url=lambda *_a, **_k: _Redis()))
    monkeypatch.setattr(doctor, "run_checks", lambda **_kwargs: [])
    queues = [{"name": queue.name} for queue in settings.CELERY_TASK_QUEUES]
    taken = {"all@here": queues}
    inspect = SimpleNamespace(active_queues=lambda: taken)
    monkeypatch.setattr(doctor.app.control, "inspect", lambda **_kwargs: inspect)
    cache.set(WORKER_SEEN, True)
    return taken


class _Redis:
    def __enter__(self) -> "_Redis":
        return self

    def __exit__(self, *_args: Any) -> None:
        pass

    def set(self, *_args: Any, **_kwargs: Any) -> None:
        pass

    def time(self) -> tuple[int, int]:
        return int(time.time()), 0


def problems() -> list[str]:
    """What is wrong, without the notes on what isn't used."""
    return [str(found) for found in doctor.examine() if found.state == doctor.FAULT]


def only(*fragments: str) -> None:
    """One fault was found, and its line has all of these."""
    [line] = problems()
    assert [one for one in fragments if one not in line] == [], line


def test_a_site_without_a_fault(fake: FakeProvider):
    out = StringIO()
    call_command("doctor", stdout=out)
    lines = out.getvalue().splitlines()
    assert [line.split()[0] for line in lines].count("fault") == 0
    assert any("all migrations have run" in line for line in lines)
    assert any("websockets come through" in line for line in lines)
    assert fake.total == 2  # one word of each tier


def test_a_site_on_several_processes(busy: dict[str, Any]):
    assert problems() == []
    assert any("beat asks for sweeps" in found.text for found in doctor.examine())


def test_a_fault_is_the_commands_status(settings: Any):
    settings.DEBUG = True
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", stdout=StringIO())
    assert ended.value.code == 1
    only("DEBUG shows settings", "Remove DEBUG")


def test_a_setting_that_cannot_be_used(settings: Any):
    settings.LIMIT_STARTS = "many"
    only("LIMIT_STARTS is 'many'", "30/minute")


def test_migrations_that_have_not_run(monkeypatch: pytest.MonkeyPatch):
    plan = [("reflections.0007", False), ("interviews.0017", False)]
    monkeypatch.setattr(doctor.MigrationExecutor, "migration_plan", lambda *_args: plan)
    only("2 migrations haven't run", "manage.py migrate")


def test_a_key_that_is_lost(settings: Any):
    given = {"url": "https://example.org", "user": User.objects.create_user("anna")}
    Webhook.objects.create(**given, secret=seal("of the old key"))
    assert problems() == []
    settings.DATA_KEYS = [new_key()]
    Webhook.objects.create(**given, secret=seal("of the new key"))
    only("opens the oldest of: webhooks", "Add the key that was used")


def test_redis_is_down(settings: Any, monkeypatch: pytest.MonkeyPatch):
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    inspect = SimpleNamespace(active_queues=dict)
    monkeypatch.setattr(doctor.app.control, "inspect", lambda **_kwargs: inspect)
    found = "\n".join(problems())
    assert "Redis can't be used" in found
    assert "correct REDIS_URL" in found


def test_redis_that_is_full(busy: dict[str, Any], monkeypatch: pytest.MonkeyPatch):
    def refuse(*_args: Any, **_kwargs: Any) -> None:
        raise ResponseError("OOM command not allowed when used memory > 'maxmemory'.")

    monkeypatch.setattr(_Redis, "set", refuse)
    only("it stores nothing: OOM command not allowed", "> 'maxmemory'. Give it memory")


def test_no_worker(busy: dict[str, Any]):
    busy.clear()
    only("no worker answers", "celery -A interviewsite worker")


def test_a_queue_from_which_nobody_takes(busy: dict[str, Any]):
    busy["all@here"] = [queue for queue in busy["all@here"] if queue["name"] != "alerts"]
    only("none takes from alerts", "-Q")


def test_no_beat(busy: dict[str, Any]):
    cache.delete(WORKER_SEEN)
    only("beat isn't running, or all slots hold long jobs", "celery -A interviewsite beat")


def test_a_refused_key(fake: FakeProvider):
    fake.queue("status:401", "status:401")
    found = problems()
    assert len(found) == 2
    assert all("Correct the key" in line for line in found)
    assert "sk-secret" not in str(found)


def test_a_mail_server_that_refuses(settings: Any):
    settings.EMAIL_URL = "smtp://127.0.0.1"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    only("the mail server refuses", "Correct EMAIL_URL")


def test_a_folder_that_others_can_read(settings: Any):
    settings.DATA_DIR.chmod(0o755)
    only("other accounts can read", "chmod 700")


def test_static_files_were_never_collected(settings: Any):
    (settings.STATIC_ROOT / "site.css").unlink()
    only("pages have no styles", "collectstatic")


def test_a_full_disk(monkeypatch: pytest.MonkeyPatch):
    usage = shutil.disk_usage("/")._replace(free=100 * 2**20)
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _path: usage)
    only("only 0.1 GB free", "Make room")


def test_a_clock_that_is_wrong(busy: dict[str, Any], monkeypatch: pytest.MonkeyPatch):
    late = int(time.time()) - 100
    monkeypatch.setattr(_Redis, "time", lambda _self: (late, 0))
    only("s apart", "NTP")


def test_a_host_that_the_site_does_not_answer_to(settings: Any):
    settings.ALLOWED_HOSTS = ["interviews.example.org"]
    only("127.0.0.1 isn't among ALLOWED_HOSTS", "Add it")


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_nobody_at_the_address(settings: Any, scheme: str):
    settings.SITE_URL = f"{scheme}://127.0.0.1:{free_port()}"
    only("doesn't answer", "proxy and web processes")


def test_a_proxy_that_does_not_say_https(proxy: Proxy):
    proxy.location = f"{proxy.url}/healthz"
    only("redirects for ever", "X-Forwarded-Proto")


def test_another_site_at_the_address(proxy: Proxy):
    proxy.answer = ["something else"]
    only("not as this site", "where the proxy sends requests")


def test_cookies_that_are_not_limited_to_https(proxy: Proxy):
    proxy.answer = MANAGED | {"secure": True}
    only("cookies aren't limited", "HTTPS=1")


@pytest.mark.parametrize("count", [0, 2])
def test_proxies_that_are_not_counted(proxy: Proxy, count: int):
    proxy.answer = MANAGED | {"forwarded": count}
    only(f"{count} proxies", f"TRUSTED_PROXIES={count}")


def test_a_proxy_that_drops_websockets(proxy: Proxy):
    proxy.websocket = 404
    only("websockets don't come through", "Upgrade")


def test_websockets_that_fail_once(proxy: Proxy):
    proxy.fails_once = True
    assert problems() == []
    assert not proxy.fails_once


@pytest.fixture
def secured(proxy: Proxy, settings: Any, tmp_path: Path) -> Callable[[int], Path]:
    def secure(days: int) -> Path:
        """The site's address has a certificate of its own, which ends in so many days."""
        file = write_certificate(tmp_path / "certificate.pem", days)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        proxy.socket = context.wrap_socket(proxy.socket, server_side=True)
        settings.SITE_URL = f"https://127.0.0.1:{proxy.server_port}"
        return file

    return secure


def test_a_certificate_that_browsers_refuse(secured: Callable[[int], Path]):
    secured(90)
    found = problems()
    assert "browsers refuse its certificate" in found[0]
    assert "Renew or correct it" in found[0]


def test_a_certificate_that_ends_soon(
    secured: Callable[[int], Path], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SSL_CERT_FILE", str(secured(3)))
    warnings = [str(found) for found in doctor.examine() if found.state == doctor.WARNING]
    assert any("ends in 3 days" in line and "renewed" in line for line in warnings)


class TestPage:
    def test_it_examines_when_asked(self, admin_client: Any, settings: Any):
        url = reverse("site_health")
        assert "What was found" not in admin_client.get(url).text
        assert "No problems found" in admin_client.post(url).text
        settings.DATA_DIR.chmod(0o755)
        page = admin_client.post(url).text
        assert "Fix 1 problem<" in " ".join(page.split()).replace(" <", "<")
        assert "chmod 700" in page

    def test_only_for_superusers(self, client: Any, django_user_model: Any):
        client.force_login(django_user_model.objects.create_user("anna", is_staff=True))
        assert client.post(reverse("site_health")).status_code == 403


@pytest.mark.parametrize("pattern", [".localhost", "LocalHost"])
def test_a_host_that_is_allowed_in_another_spelling(settings: Any, proxy: Proxy, pattern: str):
    settings.SITE_URL = f"http://localhost:{proxy.server_port}"
    settings.ALLOWED_HOSTS = [pattern, "testserver"]
    assert problems() == []
