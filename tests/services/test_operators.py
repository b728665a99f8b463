"""docs/operators.md, followed as written: from an empty database to an interview by https.

Commands are taken from the page and settings from deploy/interviewsite.env; only addresses, paths
and names are replaced. Both proxies run with their example files.
"""

import asyncio
import os
import re
import shlex
import shutil
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import psycopg
import pytest

from tests.certificates import write_certificate
from tests.requirements import POSTGRESQL_SERVER, need, need_postgresql, need_redis, postgresql_url
from tests.services.client import Client, Talk, whole
from tests.services.databases import Database, sqlite_copy
from tests.services.pages import Page
from tests.services.processes import (
    ROOT,
    Process,
    environment,
    eventually,
    free_port,
    run,
    wait_until,
)
from tests.services.sites import Redis, answers
from tests.services.worlds import ended

pytestmark = pytest.mark.timeout(900)  # on a busy machine
DOCS = (ROOT / "docs" / "operators.md").read_text()
NAME = f"interviewsite_test_operator_{os.getpid()}"
ANSWER = "My uncle showed me how to graft apple trees in the garden behind the mill."


def commands(heading: str) -> list[str]:
    """The lines of the code blocks between a heading and the next one."""
    part = re.split(r"\n#+ ", DOCS.partition(f"# {heading}\n")[2])[0]
    blocks = re.findall(r"```sh\n(.*?)```", part, re.S)
    return [line for block in blocks for line in block.splitlines()]


@dataclass
class Operator:
    """Somebody who does what the page says."""

    folder: Path
    env: dict[str, str]
    ports: dict[str, str]
    certificate: Path
    redis: Redis | None

    def adapt(self, command: str) -> list[str]:
        words = shlex.split(command, comments=True)
        replaced = {
            "interviewsite": NAME if words[0] in ("createuser", "createdb") else "interviewsite",
            **self.ports,
        }
        words = [replaced.get(word, word) for word in words if word != "--pwprompt"]  # a terminal's
        words = [word.replace("DATABASE interviewsite", f"DATABASE {NAME}") for word in words]
        words = [word.replace("/var/backups/", f"{self.folder}/") for word in words]
        if words[0].startswith(".venv/bin/"):
            words[0] = str(Path(sys.executable).parent / words[0][10:])
        return words

    def do(self, command: str, **more: str) -> str:
        done = run(self.adapt(command), self.env | more)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def start(self, command: str) -> Process:
        program = self.adapt(command)
        name = f"{Path(program[0]).name}-{self.ports.get('8001') in program}"
        return Process(program, self.env, self.folder / f"{name}.log")


@pytest.fixture(scope="module")
def operator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Operator]:
    need_postgresql()
    need_redis()
    folder = tmp_path_factory.mktemp("operator")
    certificate = write_certificate(folder / "certificate.pem", 90)
    server = urlsplit(POSTGRESQL_SERVER)
    postgresql = {"PGHOST": server.hostname, "PGPORT": str(server.port), "PGUSER": server.username}
    redis, site = Redis(folder), free_port()
    chosen = {
        "ALLOWED_HOSTS": "localhost",
        "SITE_URL": f"https://localhost:{site}",
        "DATABASE_URL": postgresql_url(NAME).replace(f"{server.username}@", f"{NAME}@"),
        "REDIS_URL": redis.url,
        "SWEEP_EVERY": "1",
        "METRICS_TOKEN": "of-prometheus",
        "SSL_CERT_FILE": str(certificate),
    }
    env = environment(folder / "data", **_template(), **postgresql) | chosen
    del env["SECRET_KEY"], env["DATA_KEYS"]  # `setup` makes them
    ports = {"8001": str(free_port()), "8002": str(free_port()), "443": str(site)}
    operator = Operator(folder, env, ports, certificate, redis)
    with ExitStack() as stack:
        stack.enter_context(ended(redis))
        redis.start()
        stack.callback(_leave_nothing, operator)
        for command in _foreground():
            output = operator.do(command)
            assert "Password" in output or "setup" not in command
        for command in _background():
            process = operator.start(command)
            stack.enter_context(ended(process))
            process.launch()
        for port in ("8001", "8002"):
            wait_until(lambda port=port: answers(f"http://localhost:{ports[port]}/healthz"))
        yield operator


def _template() -> dict[str, str]:
    lines = (ROOT / "deploy" / "interviewsite.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def _foreground() -> list[str]:
    *first, last = commands("Several processes")
    assert last.endswith("load_demo")
    return [one for one in first if one.startswith(("create", "psql")) or "setup" in one] + [last]


def _background() -> list[str]:
    found = [one for one in commands("Several processes") if "daphne" in one or "celery" in one]
    assert len(found) == 4
    return found


def _leave_nothing(operator: Operator) -> None:
    for command in (f"dropdb --force {NAME}_2", f"dropdb --force {NAME}", f"dropuser {NAME}"):
        subprocess.run(command.split(), env=operator.env, capture_output=True, check=False)


# -- an interview through each proxy


def nginx(operator: Operator, port: str) -> Process:
    example = (ROOT / "deploy" / "proxy" / "nginx.conf").read_text()
    for old, new in (
        ("listen 443 ", f"listen {port} "),
        ("listen 80;", f"listen {free_port()};"),
        ("interviews.example.org;", "localhost;"),
        ("127.0.0.1:8001", f"127.0.0.1:{operator.ports['8001']}"),
        ("127.0.0.1:8002", f"127.0.0.1:{operator.ports['8002']}"),
    ):
        assert old in example
        example = example.replace(old, new)
    example = example.replace("/var/log/nginx/error.log", "stderr")
    example = re.sub(r"/etc/letsencrypt\S+;", f"{operator.certificate};", example)
    places = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{name}_temp_path {operator.folder}/{name};" for name in places)
    user = "user root;" if os.geteuid() == 0 else ""
    config = operator.folder / "nginx.conf"
    config.write_text(
        f"{user} daemon off; pid {operator.folder}/nginx.pid; error_log stderr;"
        f"events {{}} http {{ {temporary} {example} }}"
    )
    return Process(["nginx", "-c", str(config)], operator.env, operator.folder / "nginx.log")


def caddy(operator: Operator, port: str) -> Process:
    example = (ROOT / "deploy" / "proxy" / "Caddyfile").read_text()
    upstreams = " ".join(f"127.0.0.1:{operator.ports[name]}" for name in ("8001", "8002"))
    example, count = re.subn(
        r"reverse_proxy \{\s+dynamic[^}]*\}", f"reverse_proxy {upstreams} {{", example
    )
    assert count == 1
    site, options = "{$SITE_HOST} {\n", "\n{\n"
    assert site in example
    assert example.count(options) == 1
    config = operator.folder / "Caddyfile"
    own = f"\ttls {operator.certificate} {operator.certificate}\n"
    example = example.replace(options, f"{options}\tadmin off\n\tauto_https disable_redirects\n")
    config.write_text(example.replace(site, site + own))
    env = operator.env | {"SITE_HOST": f"localhost:{port}", "HOME": str(operator.folder)}
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(config)]
    return Process(command, env, operator.folder / "caddy.log")


@pytest.mark.parametrize("proxy", [nginx, caddy])
async def test_an_interview_by_https(operator: Operator, proxy):
    need(shutil.which(proxy.__name__) is not None, f"there is no {proxy.__name__} on this machine")
    port = operator.ports["443"]
    process = proxy(operator, port)
    with ended(process):
        process.launch()
        url = operator.env["SITE_URL"]
        context = ssl.create_default_context(cafile=str(operator.certificate))
        async with _connections(context) as http:
            client = Client(http, url)
            await _wait_for(client, process)
            await _is_finished(client)
            assert (await client.get("/metrics")).status == 404
            await _is_watched(http, operator)
            await _outlives_restarts(client, operator, process)
        _is_well(operator.do(".venv/bin/python manage.py doctor"))


def _connections(context: ssl.SSLContext) -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(ssl=context)
    return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())


async def _wait_for(client: Client, process: Process) -> None:
    for _ in range(600):
        try:
            if (await client.get("/readyz")).body.get("workers") == "ok":
                return
        except aiohttp.ClientError:
            assert process.alive(), process.log()
        await asyncio.sleep(0.1)
    raise AssertionError(f"no worker was seen: {process.log()}")


async def _is_finished(client: Client) -> None:
    """Every answer by the form of the page, whose reply comes by the websocket."""
    talk = await client.start("life-story-short")
    page = Page(talk)
    assert (await page.open()).status == 200
    async with _socket(page) as socket:
        sent = await page.send(text=ANSWER, message_id="m1")
        assert sent.status == 200, sent
        before = page.length
        while page.length == before:
            page.take((await socket.receive(30)).data)
    assert await talk.to_the_end(ANSWER) == "COMPLETED"
    assert ANSWER in await talk.answers()


@asynccontextmanager
async def _socket(page: Page) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """As a browser does: connects again where Redis was away a moment ago."""
    for _ in range(5):
        with suppress(aiohttp.WSServerHandshakeError):
            async with page.socket() as socket:
                if (await socket.receive(30)).type is aiohttp.WSMsgType.TEXT:
                    yield socket
                    return
    raise AssertionError("no websocket stays open")


async def _outlives_restarts(client: Client, operator: Operator, process: Process) -> None:
    """PostgreSQL refuses and Redis is gone for a moment; nobody restarts anything else."""
    talk = await client.start("life-story-short")
    with _refused(operator):
        assert (await talk.say(ANSWER, "m1")).status == 503
    await eventually(lambda: _is_taken(talk))
    assert operator.redis is not None
    operator.redis.kill()
    assert (await talk.say(ANSWER, "m2")).status == 200
    operator.redis.start()
    await _wait_for(client, process)
    assert await talk.to_the_end(ANSWER) == "COMPLETED"
    assert (await talk.answers()).count(ANSWER) == len(await talk.answers())
    whole(await talk.entries())
    for _ in range(6):  # at both sites: the first after Redis was away may fail, and once only
        async with _socket(Page(talk)):
            pass


async def _is_taken(talk: Talk) -> bool:
    return (await talk.say(ANSWER, "m1")).status == 200


@contextmanager
def _refused(operator: Operator) -> Iterator[None]:
    allow = f"ALTER DATABASE {NAME} ALLOW_CONNECTIONS"
    with psycopg.connect(postgresql_url("postgres"), autocommit=True) as administrator:
        administrator.execute(f"{allow} false")
        administrator.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [NAME]
        )
        try:
            yield
        finally:
            administrator.execute(f"{allow} true")


async def _is_watched(http: aiohttp.ClientSession, operator: Operator) -> None:
    """As the example of deploy/monitoring/alerts.yaml says: each web process by its own address."""
    token = {"Authorization": f"Bearer {operator.env['METRICS_TOKEN']}"}
    for port in ("8001", "8002"):
        address = f"http://127.0.0.1:{operator.ports[port]}/metrics"
        async with http.get(address, headers=token) as seen:
            assert "interviewsite_worker_seen 1.0" in await seen.text()


def _is_well(report: str) -> None:
    for line in (
        *("Database: PostgreSQL answers", "Redis: answers", "1 at work, on all queues"),
        *("beat asks for sweeps", "its certificate holds", "the proxy's headers are as configured"),
        "websockets come through",
    ):
        assert line in report
    assert "fault" not in report
    assert "PostgreSQL's log" not in report


# -- logs


CANARY = "canary-of-a-panel"
ADDRESSES = (f"/{CANARY}/?PROLIFIC_PID={CANARY}", f"/?PROLIFIC_PID={CANARY}", f"/s/{CANARY}/")


@pytest.fixture
def alone(tmp_path: Path) -> Operator:
    """Nothing runs yet, and there are neither PostgreSQL nor Redis."""
    ports = {port: str(free_port()) for port in ("8001", "8002", "443")}
    env = environment(tmp_path, LOG_FORMAT="json", SITE_URL=f"https://localhost:{ports['443']}")
    certificate = write_certificate(tmp_path / "certificate.pem", 90)
    return Operator(tmp_path, env, ports, certificate, None)


async def test_no_request_is_in_the_log(alone: Operator, template: Path):
    sqlite_copy(template, alone.folder)
    process = alone.start(_background()[0])
    site = f"http://127.0.0.1:{alone.ports['8001']}"
    with ended(process):
        process.launch()
        wait_until(lambda: answers(f"{site}/healthz"))
        async with aiohttp.ClientSession() as http:
            for address in ADDRESSES:
                async with http.get(f"{site}{address}"):
                    pass
            await http.post(f"{site}/admin/login/", headers={"Referer": f"{site}/{CANARY}"})
    assert "Not Found: an unknown address" in process.log()
    assert CANARY not in process.log()


@pytest.mark.parametrize("proxy", [nginx, caddy])
async def test_no_request_that_fails_is_in_a_proxy_s_log(alone: Operator, proxy):
    need(shutil.which(proxy.__name__) is not None, f"there is no {proxy.__name__} on this machine")
    process, url = proxy(alone, alone.ports["443"]), alone.env["SITE_URL"]
    context = ssl.create_default_context(cafile=str(alone.certificate))
    with ended(process):
        process.launch()
        async with _connections(context) as http:
            await eventually(lambda: _is_bad_gateway(http, f"{url}{ADDRESSES[0]}", process))
    assert CANARY not in process.log()


async def _is_bad_gateway(http: aiohttp.ClientSession, address: str, process: Process) -> bool:
    with suppress(aiohttp.ClientConnectorError):
        async with http.get(address) as answer:
            return answer.status == 502
    assert process.alive(), process.log()
    return False


# -- what else the page says


def test_a_backup_comes_back_with_its_keys(operator: Operator):
    nightly, with_keys, restore, set_up = [
        line for line in commands("Backups") if line.startswith(".venv")
    ]
    operator.do(nightly)
    operator.do(with_keys)
    backups = operator.folder / "interviewsite"
    keys = dict(line.split("=", 1) for line in (backups / "keys.env").read_text().split())
    operator.do(f"createdb --owner {NAME} {NAME}_2")
    database = operator.env["DATABASE_URL"] + "_2"
    place = keys | {"DATABASE_URL": database, "DATA_DIR": str(operator.folder / "other")}
    newest = max(backups.glob("*.zip"))
    restore = re.sub(r"\S+\.zip", str(newest), restore)
    interviews = Database(operator.folder, operator.env["DATABASE_URL"]).rows(
        "SELECT count(*) FROM interviews_session"
    )
    assert f": {interviews[0][0]} interviews" in operator.do(restore, **place)
    assert "Password" not in operator.do(set_up, **place)


def test_services_start_what_the_page_says(operator: Operator):
    units = ROOT / "deploy" / "systemd"
    text = "".join(path.read_text() for path in sorted(units.iterdir()))
    started = set(re.findall(r"ExecStart=/opt/interviewsite/(.*)", text))
    written = {
        line.replace("8001", "%i")
        for line in [*commands("Several processes"), *commands("Backups")]
    }
    assert started <= written
