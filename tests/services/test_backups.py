"""What was backed up comes back whole, into an empty place."""

import json
import os
import time
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from interviewsite.operations import backups
from tests.requirements import need_postgresql
from tests.services.databases import Database, empty_postgresql, filled_sqlite, new_postgresql
from tests.services.processes import environment, free_port, python, run

pytestmark = pytest.mark.timeout(300)


def manage(env: dict[str, str], *command: str) -> str:
    done = run(python("manage.py", *command), env)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(env: dict[str, str], *command: str) -> str:
    done = run(python("manage.py", *command), env)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


def canaries(env: dict[str, str], *command: str) -> dict[str, list[object]]:
    done = run(python("-m", "tests.services.canaries", *command), env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _comes_back_whole(env: dict[str, str], elsewhere: dict[str, str], folder: Path) -> Path:
    before = canaries(env, "plant")
    assert all(count for count, _ in before.values())
    keys = folder.parent / "keys.env"
    assert str(folder) in manage(env, "backup", str(folder), "--keys", str(keys))
    [backup] = folder.glob("*.zip")
    assert backup.stat().st_mode & 0o077 == keys.stat().st_mode & 0o077 == 0
    assert env["DATA_KEYS"] in keys.read_text()
    assert env["DATA_KEYS"].encode() not in backup.read_bytes()
    assert "Restored the backup of 20" in manage(elsewhere, "restore", str(backup))
    assert canaries(elsewhere) == before
    assert "isn't empty" in refused(elsewhere, "restore", str(backup))
    return backup


def test_sqlite(tmp_path: Path):
    env = environment(filled_sqlite(tmp_path / "data"))
    backup = _comes_back_whole(env, environment(tmp_path / "other"), tmp_path / "backups")
    unchanged = Database(tmp_path / "data").rows("PRAGMA integrity_check")
    assert unchanged == [("ok",)]
    _damage(backup)
    third = environment(tmp_path / "third")
    assert "isn't the one that was stored" in refused(third, "restore", str(backup))
    backup.write_bytes(b"no backup")
    assert "can't be read as a backup" in refused(third, "restore", str(backup))
    _only_so_many_are_kept(env, tmp_path / "backups")


def _damage(backup: Path) -> None:
    with zipfile.ZipFile(backup) as archive:
        manifest, database = archive.read("manifest.json"), archive.read("database")
    with zipfile.ZipFile(backup, "w") as archive:
        archive.writestr("manifest.json", manifest)
        archive.writestr("database", database[:-1])


def _only_so_many_are_kept(env: dict[str, str], folder: Path) -> None:
    old = folder / "interviewsite-20200101T000000Z.zip"
    old.touch()
    assert f"Removed {old}" in manage(env, "backup", str(folder), "--keep", "2")
    assert len([*folder.iterdir()]) == 2
    assert "at least 1" in refused(env, "backup", str(folder), "--keep", "0")


@pytest.mark.postgresql
def test_postgresql(tmp_path: Path):
    need_postgresql()
    env = environment(tmp_path, DATABASE_URL=new_postgresql(tmp_path).url)
    elsewhere = environment(tmp_path, DATABASE_URL=empty_postgresql(tmp_path).url)
    backup = _comes_back_whole(env, elsewhere, tmp_path / "backups")
    wrong = environment(tmp_path / "wrong")
    assert "Restore into the same kind" in refused(wrong, "restore", str(backup))


def _backed_up(folder: Path) -> Path:
    manage(environment(filled_sqlite(folder / "data")), "backup", str(folder / "backups"))
    [backup] = (folder / "backups").glob("*.zip")
    return backup


def test_a_backup_of_a_newer_version(tmp_path: Path):
    backup = _backed_up(tmp_path)
    with zipfile.ZipFile(backup) as archive:
        manifest, database = json.loads(archive.read("manifest.json")), archive.read("database")
    manifest["migrations"].append("interviews.9999_later")
    with zipfile.ZipFile(backup, "w") as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        archive.writestr("database", database)
    older = environment(tmp_path / "older")
    assert "newer version" in refused(older, "restore", str(backup))


def test_a_backup_with_a_wrong_byte(tmp_path: Path):
    backup = _backed_up(tmp_path)
    with zipfile.ZipFile(backup) as archive:
        begins = archive.getinfo("database").header_offset + 30 + len("database")
    content = bytearray(backup.read_bytes())
    content[begins] = 0xFF  # a kind of block that there isn't
    backup.write_bytes(content)
    other = environment(tmp_path / "other")
    assert "can't be read as a backup" in refused(other, "restore", str(backup))


def test_the_key_of_pseudonyms_is_kept_too(tmp_path: Path, settings):
    settings.PSEUDONYM_KEY = "of-the-study"
    backups.write_keys(tmp_path / "keys.env")
    assert "PSEUDONYM_KEY=of-the-study\n" in (tmp_path / "keys.env").read_text()


def test_those_of_one_second_are_all_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(backups, "_copy_sqlite", lambda target: target.write_bytes(b"rows"))
    monkeypatch.setattr(backups, "_migrations", list)
    monkeypatch.setattr(backups.timezone, "now", lambda: datetime(2026, 3, 1, tzinfo=UTC))
    made = [backups.back_up(tmp_path) for _ in range(3)]
    assert sorted(tmp_path.glob("*.zip")) == made
    assert len({*made}) == 3


def test_a_damaged_database(tmp_path: Path):
    data = filled_sqlite(tmp_path / "data")
    content = bytearray((data / "interviewsite.sqlite3").read_bytes())
    content[100 : len(content) // 2] = bytes(len(content) // 2 - 100)
    (data / "interviewsite.sqlite3").write_bytes(content)
    line = refused(environment(data), "backup", str(tmp_path / "backups"))
    assert "malformed" in line
    assert not [*(tmp_path / "backups").iterdir()]


def test_a_place_without_a_site(tmp_path: Path):
    line = refused(environment(tmp_path / "other"), "backup", str(tmp_path / "backups"))
    assert "The database is empty" in line
    assert not [*(tmp_path / "backups").iterdir()]


def test_a_server_that_is_down(tmp_path: Path):
    env = environment(tmp_path, DATABASE_URL=f"postgres://nobody@127.0.0.1:{free_port()}/none")
    (tmp_path / "backup.zip").touch()
    assert "The database can't be used" in refused(env, "restore", str(tmp_path / "backup.zip"))


def test_what_a_backup_left_that_was_killed_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(backups, "_copy_sqlite", lambda target: target.write_bytes(b"rows"))
    monkeypatch.setattr(backups, "_migrations", list)
    left, going_on = tmp_path / "unfinished-1", tmp_path / "unfinished-2"
    for folder in (left, going_on):
        folder.mkdir()
        (folder / "database").touch()
    yesterday = time.time() - 24 * 3600
    os.utime(left, (yesterday, yesterday))
    backup = backups.back_up(tmp_path)
    assert sorted(tmp_path.iterdir()) == [backup, going_on]


def test_a_restored_database_is_there_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    source, target = tmp_path / "unpacked", tmp_path / "interviewsite.sqlite3"
    source.write_bytes(b"rows")
    target.touch()
    monkeypatch.setitem(backups.connection.settings_dict, "NAME", str(target))
    number = source.stat().st_ino
    backups._put_sqlite(source)
    assert target.stat().st_ino == number  # moved: half a copy would count as a database
    assert target.stat().st_mode & 0o077 == 0
