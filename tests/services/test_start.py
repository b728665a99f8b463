"""How a site starts: what is wrong is told in one line, and what is done is done once."""

import gzip
import re
import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.fake_provider import FakeProvider
from tests.requirements import need_postgresql, postgresql_url
from tests.services import worlds
from tests.services.client import Client
from tests.services.databases import sqlite_copy
from tests.services.processes import environment, free_port, python, run
from tests.services.sites import Site

MADE_BY_SETUP = ("SECRET_KEY", "DATA_KEYS")


def refused(data: Path, **settings: str) -> str:
    """The one line with which a start ends that could not be."""
    env = environment(data, **{"PORT": str(free_port()), **settings})
    ended = run(python("manage.py", "serve", "--setup"), env)
    assert ended.returncode == 1
    assert not ended.stdout
    lines = ended.stderr.splitlines()
    assert len(lines) == 1, ended.stderr
    return lines[0]


# -- wrong settings


def test_a_database_of_an_unknown_kind(tmp_path: Path):
    line = refused(tmp_path, DATABASE_URL="mysql://user:hunter2@host/name")
    assert line.startswith("DATABASE_URL (set in the environment) begins with 'mysql'")
    assert "postgres://" in line
    assert "hunter2" not in line


@pytest.mark.parametrize("password", ["hun/ter2", "hun?ter2"])
def test_a_password_with_a_sign_that_divides_addresses(tmp_path: Path, password: str):
    line = refused(tmp_path, DATABASE_URL=f"postgres://user:{password}@127.0.0.1/name")
    assert line.startswith("DATABASE_URL (set in the environment) can't be read. Write")
    assert "hun" not in line


def test_an_address_without_a_database(tmp_path: Path):
    line = refused(tmp_path, DATABASE_URL="postgres://user:hunter2@127.0.0.1:5432")
    assert line.startswith("DATABASE_URL (set in the environment) names no database. Write")


def test_a_database_that_is_down(tmp_path: Path):
    began, port = time.monotonic(), free_port()
    line = refused(tmp_path, DATABASE_URL=f"postgres://user:hunter2@127.0.0.1:{port}/name")
    assert time.monotonic() - began < 60  # it was three times the pool's patience
    assert line.startswith("The database can't be used: ")
    assert str(port) in line
    assert "correct DATABASE_URL (set in the environment)" in line
    assert "hunter2" not in line


@pytest.mark.postgresql
def test_a_database_that_is_missing(tmp_path: Path):
    need_postgresql()
    line = refused(tmp_path, DATABASE_URL=postgresql_url("nobody_made_this"))
    assert '"nobody_made_this" does not exist' in line


def test_what_the_address_of_a_database_asks_for_holds(tmp_path: Path):
    url = f"postgres://user:hunter2@127.0.0.1:{free_port()}/name?connect_timeout=1&sslmode="
    assert 'invalid sslmode value: "always"' in refused(tmp_path, DATABASE_URL=f"{url}always")
    assert "onnection refused" in refused(tmp_path, DATABASE_URL=f"{url}require")


def test_a_database_file_without_its_folder(tmp_path: Path):
    line = refused(tmp_path, DATABASE_URL=f"sqlite:///{tmp_path}/none/file.sqlite3")
    assert line.startswith("The database can't be used: unable to open database file.")


def test_a_port_that_is_no_number(tmp_path: Path):
    line = refused(tmp_path, PORT="abc")
    assert line.startswith("PORT (set in the environment) is 'abc', which is not a number.")


def test_a_port_in_use(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = refused(tmp_path, PORT=str(port))
    assert line.startswith(f"Can't listen on 127.0.0.1, port {port}: Address already in use.")
    assert "PORT (set in the environment)" in line


def test_a_data_folder_that_can_t_be_made(tmp_path: Path):
    file = tmp_path / "file"
    file.touch()
    line = refused(tmp_path, DATA_DIR=str(file / "data"))
    assert line.startswith(f"DATA_DIR (set in the environment) is {file / 'data'}, which can't be")


def test_files_in_the_data_folder_that_can_t_be_used(tmp_path: Path):
    database, key = tmp_path / "interviewsite.sqlite3", tmp_path / "secret_key"
    database.symlink_to(database)
    line = refused(tmp_path)
    assert line.startswith(f"DATA_DIR (set in the environment) is {tmp_path}, which can't be used")
    database.unlink()
    key.mkdir()
    line = refused(tmp_path)
    assert line.startswith(f"DATA_DIR (set in the environment) is {tmp_path}, which can't be used")


def test_redis_that_nobody_reaches(tmp_path: Path):
    line = refused(tmp_path, REDIS_URL=f"redis://127.0.0.1:{free_port()}/0")
    assert line.startswith("Redis can't be used: ")
    assert "correct REDIS_URL (set in the environment)" in line


def test_redis_at_no_address(tmp_path: Path):
    assert "REDIS_URL" in refused(tmp_path, REDIS_URL="127.0.0.1")


def test_an_unknown_provider(tmp_path: Path):
    line = refused(tmp_path, LLM_PROVIDER="oracle")
    assert line.startswith("LLM_PROVIDER is 'oracle', which isn't known. Set ")
    assert re.search(r"Set (\w+, )+\w+ or \w+, or remove it\.$", line)


@pytest.mark.parametrize("url", ["imap://anna:hunter2@mail.example.org", "anna", "smtp://h:x"])
def test_an_unknown_mail_server(tmp_path: Path, url: str):
    line = refused(tmp_path, EMAIL_URL=url)
    assert line.startswith("EMAIL_URL (set in the environment) is no address of a mail server. Use")
    assert "hunter2" not in line


def test_unknown_ways_to_log(tmp_path: Path):
    line = refused(tmp_path, LOG_LEVEL="LOUD")
    assert line == (
        "LOG_LEVEL (set in the environment) is 'LOUD', which isn't known. "
        "Use DEBUG, INFO, WARNING, ERROR or CRITICAL."
    )
    assert refused(tmp_path, LOG_FORMAT="xml").endswith("Use plain or json.")


def test_no_address_of_sentry(tmp_path: Path):
    line = refused(tmp_path, SENTRY_DSN="sentry.example.org")
    assert line.startswith("SENTRY_DSN (set in the environment) is no address of Sentry. Copy")


# -- a first start and a second


@pytest.fixture(scope="module")
def provider_refusing() -> Iterator[FakeProvider]:
    with FakeProvider(models_status=401) as fake:
        yield fake


@pytest.fixture(scope="module")
def set_up(
    tmp_path_factory: pytest.TempPathFactory, provider_refusing: FakeProvider
) -> Iterator[Site]:
    """A site without a folder yet, as `make run` brings it up, with a key that is refused."""
    folder = tmp_path_factory.mktemp("new")
    env = environment(folder / "data", **worlds.asking(provider_refusing))
    site = Site({name: value for name, value in env.items() if name not in MADE_BY_SETUP})
    site.log_file = folder / "site.log"
    site.command.append("--setup")
    with worlds.ended(site):
        site.start()
        yield site


def fetched(url: str) -> tuple[bytes, dict[str, str]]:
    with urlopen(Request(url, headers={"Accept-Encoding": "gzip"}), timeout=30) as reply:
        return reply.read(), {name.lower(): value for name, value in reply.headers.items()}


def told_since_its_start(site: Site) -> str:
    """Return what the log says from the addresses on, which each start tells once."""
    return site.log().rpartition("Interviews   ")[2]


def test_it_tells_its_addresses_and_the_password(set_up: Site):
    log = set_up.log()
    assert re.search(r"Name\s+admin\n\s+Password\s+\S{16}", log)
    assert f"Interviews   {set_up.url}/\n" in log
    assert f"Admin        {set_up.url}/admin/\n" in log


def test_it_tells_that_the_key_is_refused(set_up: Site):
    deadline = time.monotonic() + 60
    while not (told := told_since_its_start(set_up).count("Interviewer: Anthropic, key refused: ")):
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert told == 1
    assert b"key refused" in fetched(f"{set_up.url}/readyz")[0]


def test_pages_are_compressed_and_static_files_cached_for_good(set_up: Site):
    page, headers = fetched(f"{set_up.url}/")
    assert headers["content-encoding"] == "gzip"
    html = gzip.decompress(page).decode()
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', html)
    assert files
    for file in files:
        assert re.search(r"\.[0-9a-f]{12}\.\w+$", file)
        _, headers = fetched(set_up.url + file)
        assert "immutable" in headers["cache-control"]
        assert "gzip" in headers.get("content-encoding", "") or file.endswith((".svg", ".png"))


def test_a_second_start_does_nothing_again(set_up: Site):
    data = Path(set_up.env["DATA_DIR"])
    kept = [data / "prepared", data / "static" / "staticfiles.json"]
    before = [file.stat().st_mtime_ns for file in kept]
    begun = len(set_up.log())
    set_up.stop()
    set_up.start()
    assert [file.stat().st_mtime_ns for file in kept] == before
    told = set_up.log()[begun:]
    assert f"Interviews   {set_up.url}/\n" in told
    assert "Password" not in told


def test_static_files_that_are_gone_are_collected_again(set_up: Site):
    static = Path(set_up.env["DATA_DIR"]) / "static"
    shutil.rmtree(static)
    done = run(python("manage.py", "setup", "--static"), set_up.env)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "Database, roles and static files: up to date.\n"
    assert (static / "staticfiles.json").exists()


def test_setup_tells_that_the_password_is_the_given_one(template: Path, tmp_path: Path):
    sqlite_copy(template, tmp_path)
    done = run(python("manage.py", "setup"), environment(tmp_path, ADMIN_PASSWORD="Kq83-lmnop"))
    assert done.returncode == 0, done.stderr
    assert re.search(r"Name\s+admin\n\s+Password\s+as in ADMIN_PASSWORD\n", done.stdout)
    assert "Kq83" not in done.stdout


# -- who may read what is kept


def modes(data: Path) -> dict[str, str]:
    """The rights on the folder and the files in it, in octal."""
    paths = [data, *(path for path in data.iterdir() if path.is_file())]
    return {path.name: oct(path.stat().st_mode & 0o777)[2:] for path in paths}


def test_what_is_kept_is_this_accounts_alone_from_the_first_start_on(set_up: Site):
    data = Path(set_up.env["DATA_DIR"])
    made = modes(data)
    assert made.pop("data") == "700"
    assert {"interviewsite.sqlite3", "secret_key", "data_key"} <= set(made)
    assert set(made.values()) == {"600"}


async def test_a_folder_that_others_could_read_is_mended_at_the_start(
    template: Path, tmp_path: Path, http
):
    data = tmp_path / "open"
    with worlds.embedded(template, data) as world:
        world.site.kill()
        data.chmod(0o755)
        for file in (path for path in data.iterdir() if path.is_file()):
            file.chmod(0o644)
        (data / "interviewsite.sqlite3-wal").touch(mode=0o644)
        world.site.start()
        await (await Client(http, world.site.url).start()).say()
        found = modes(data)
    assert "interviewsite.sqlite3-wal" in found
    assert found.pop("open") == "700"
    assert set(found.values()) == {"600"}
