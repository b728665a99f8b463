"""Backups of everything the site stores, in one file, and their way back.

A backup is a ZIP of `manifest.json` and the database: SQLite's file, copied by SQLite's own backup
while the site is running, or the archive that `pg_dump` makes. Keys are kept apart, or whoever
found a backup could read the contact data in it.

    BackupError     what stands in the way, and what to do
"""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.backends.postgresql.client import DatabaseClient
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

MANIFEST, DATABASE = "manifest.json", "database"
UNFINISHED = "unfinished-"
LONGEST = 12 * 3600  # seconds that a backup may take


class BackupError(Exception):
    pass


def back_up(folder: Path) -> Path:
    """Write a backup into the folder and return its file. Raises BackupError."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    _remove_unfinished(folder)
    now = named = timezone.now()
    while (path := folder / f"interviewsite-{named:%Y%m%dT%H%M%SZ}.zip").exists():
        named += timedelta(seconds=1)
    dump: Callable[[Path], None] = _copy_sqlite if _is_sqlite() else _dump_postgresql
    with tempfile.TemporaryDirectory(dir=folder, prefix=UNFINISHED) as scratch:
        database = Path(scratch) / DATABASE
        with _using_database():
            dump(database)
            migrations = _migrations()
        manifest = {
            "made": now.isoformat(),
            "version": settings.VERSION,
            "database": connection.vendor,
            "migrations": sorted(".".join(one) for one in migrations),
            "sha256": _digest(database),
        }
        unfinished = Path(scratch) / path.name
        unfinished.touch(mode=0o600)
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(MANIFEST, json.dumps(manifest, indent=2))
            archive.write(database, DATABASE)
        unfinished.replace(path)
    return path


def _remove_unfinished(folder: Path) -> None:
    """Remove what backups left behind that were killed."""
    for left in folder.glob(f"{UNFINISHED}*"):
        if time.time() - left.stat().st_mtime > LONGEST:
            shutil.rmtree(left)


def remove_all_but(folder: Path, count: int) -> list[Path]:
    """Remove all backups in the folder but the newest, and return the removed files."""
    old = sorted(folder.glob("interviewsite-*.zip"))[:-count]
    for path in old:
        path.unlink()
    return old


def write_keys(path: Path) -> None:
    """Write the site's keys as settings, into a file that only this account can read."""
    path.touch(mode=0o600)
    path.chmod(0o600)
    keys = {"SECRET_KEY": settings.SECRET_KEY, "DATA_KEYS": ",".join(settings.DATA_KEYS)}
    if settings.PSEUDONYM_KEY:
        keys["PSEUDONYM_KEY"] = settings.PSEUDONYM_KEY
    path.write_text("".join(f"{name}={key}\n" for name, key in keys.items()))


def restore(path: Path) -> dict[str, Any]:
    """Fill an empty database from a backup and return its manifest. Raises BackupError."""
    with _using_database():
        tables = connection.introspection.table_names()
    if tables:
        raise BackupError(
            "This database isn't empty. Restore into an empty one: another DATA_DIR, or a new "
            "PostgreSQL database."
        )
    try:
        with (
            zipfile.ZipFile(path) as archive,
            tempfile.TemporaryDirectory(dir=_roomy_folder()) as scratch,
        ):
            manifest: dict[str, Any] = json.loads(archive.read(MANIFEST))
            database = Path(archive.extract(DATABASE, scratch))
            _refuse_unusable(manifest, database)
            connection.close()
            (_put_sqlite if _is_sqlite() else _fill_postgresql)(database)
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        raise BackupError(f"{path} can't be read as a backup: {error}.") from error
    return manifest


def _refuse_unusable(manifest: dict[str, Any], database: Path) -> None:
    if _digest(database) != manifest["sha256"]:
        raise BackupError("The backup is damaged: its database isn't the one that was stored.")
    if manifest["database"] != connection.vendor:
        raise BackupError(
            f"The backup is of {manifest['database']}, and DATABASE_URL names "
            f"{connection.vendor}. Restore into the same kind of database."
        )
    if _is_newer(manifest.get("migrations", [])):
        raise BackupError(
            f"The backup is of a newer version ({manifest['version']}) than this one "
            f"({settings.VERSION}). Install that version first."
        )


def _is_newer(stored: list[str]) -> bool:
    """Return whether some app's migrations go on after the last one of this version."""
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    last: dict[str, str] = {}
    for key, migration in loader.disk_migrations.items():
        for app, name in (key, *migration.replaces):
            last[app] = max(last.get(app, ""), name)
    ran = (one.partition(".")[::2] for one in stored)
    return any(name > last.get(app, name) for app, name in ran)


@contextmanager
def _using_database() -> Iterator[None]:
    try:
        yield
    except (DatabaseError, sqlite3.Error) as error:
        raise BackupError(f"The database can't be used: {error}.") from error


def _roomy_folder() -> Path:
    """Return where a database can be unpacked: beside SQLite's file; /tmp may be small."""
    return Path(connection.settings_dict["NAME"]).parent if _is_sqlite() else settings.DATA_DIR


def _is_sqlite() -> bool:
    return connection.vendor == "sqlite"


def _migrations() -> list[tuple[str, str]]:
    if applied := list(MigrationRecorder(connection).applied_migrations()):
        return applied
    raise BackupError("The database is empty. Run this with the settings of the site.")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _copy_sqlite(target: Path) -> None:
    with (
        closing(sqlite3.connect(connection.settings_dict["NAME"])) as source,
        closing(sqlite3.connect(target)) as copy,
    ):
        source.backup(copy)
        [[state]] = copy.execute("PRAGMA integrity_check(1)").fetchall()
    if state != "ok":
        raise BackupError(f"The database is damaged: {state}. Keep the backups you have.")


def _put_sqlite(source: Path) -> None:
    source.chmod(0o600)
    source.replace(connection.settings_dict["NAME"])  # at once, or half of it could be left


def _dump_postgresql(target: Path) -> None:
    _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={target}")


def _fill_postgresql(source: Path) -> None:
    _run("pg_restore", "--no-owner", "--exit-on-error", "--single-transaction", str(source))


def _run(program: str, *options: str) -> None:
    args, env = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    *where, name = args[1:]
    command = [program, *where, f"--dbname={name}", *options]
    try:
        subprocess.run(command, env=os.environ | (env or {}), check=True, capture_output=True)  # noqa: S603
    except FileNotFoundError:
        raise BackupError(f"{program} isn't installed: install postgresql-client.") from None
    except subprocess.CalledProcessError as error:
        reason = error.stderr.decode(errors="replace").strip()
        raise BackupError(f"{program} failed: {reason}") from None
