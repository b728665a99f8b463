"""Exports made in the background: files in DATA_DIR, which every process of the site shares.

A file is named after the claim under which it was written. What no row names is removed: a file
whose process died, whose time is over, or that may hold a withdrawn interview.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from interviews.exports.archive import read_chunks, write_chunks
from interviews.exports.downloads import file_chunks, file_name, record_download
from interviews.exports.registry import EVERYTHING, allowed_tables, shared_tables
from interviews.exports.selection import Selection
from interviews.exports.sessions import on_batch
from interviews.models import AccessRecord, ExportFile, Mail
from interviews.models.exports import KEPT
from interviews.recruitment import mail
from interviews.validation import RequestRefused
from plans.bots.teams import team_keys, visible
from plans.jobs import UNDER_WAY, Job, JobFailed, JobType, PermanentFailure, celery_task
from plans.models import Bot

TASK = "interviews.tasks.make_export"
RIGHT = "interviews.export_session"
MOST_AT_ONCE = 5  # of one user
TOLD_EVERY = 1.0  # seconds
NOT_ALLOWED = "Your account may no longer export this."


def folder() -> Path:
    path: Path = settings.DATA_DIR / "exports"
    path.mkdir(mode=0o700, exist_ok=True)
    return path


@transaction.atomic
def request_file(
    user: User, bot: Bot | None, table: str, form: str, bom: bool, selection: Selection
) -> ExportFile:
    """Log the export, and have the file made in the background. Raises RequestRefused: too_many."""
    if user.export_files.filter(status__in=UNDER_WAY).count() >= MOST_AT_ONCE:
        message = f"{MOST_AT_ONCE} of your exports are being made. Wait until one is ready."
        raise RequestRefused("too_many", message, retry_after=60)
    record_download(user, bot, table, form, selection)
    filters = selection.as_dict()
    row = ExportFile.objects.create(
        user=user, bot=bot, table=table, format=form, bom=bom, filters=filters
    )
    _job_type.enqueue_on_commit(row.pk)
    return row


def progress(row: ExportFile) -> int:
    """Return how much is written, in percent."""
    if row.status == Job.Status.READY:
        return 100
    return int(cache.get(_progress_key(row), 0)) if row.status == Job.Status.RUNNING else 0


def find(user: User, key: UUID) -> ExportFile:
    """Return the user's export. Raises RequestRefused: unknown_export."""
    row = user.export_files.filter(key=key).select_related("bot").first()
    if row is None:
        raise RequestRefused("unknown_export", "There’s no such export of yours.")
    return row


def open_file(user: User, key: UUID) -> tuple[ExportFile, Iterator[bytes]]:
    """Log the download, and return the export with its content. Raises RequestRefused."""
    row = find(user, key)
    if row.status != Job.Status.READY:
        raise RequestRefused("not_ready", row.reason or "This export isn’t ready yet.")
    if not _may_have(row):
        raise RequestRefused("forbidden", NOT_ALLOWED)
    try:
        file = (folder() / row.content["file"]).open("rb")
    except FileNotFoundError:
        message = "The file isn’t on this machine. Export again."
        raise RequestRefused("unknown_export", message) from None
    AccessRecord.add(user, f"Downloaded the export of {row.created_at:%Y-%m-%d %H:%M}: {row}.")
    return row, _chunks(file)


def name_of(row: ExportFile) -> str:
    return file_name(row.bot, row.table, row.content["file"].rpartition(".")[2])


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        yield from read_chunks(file)


def _progress_key(row: ExportFile) -> str:
    return f"export:{row.key}"


def _make(row: ExportFile) -> dict[str, Any]:
    if not _may_have(row):
        raise PermanentFailure(NOT_ALLOWED)
    tables = allowed_tables(row.user.has_perm)
    selection = Selection.from_dict(row.filters, row.user)
    chunks, suffix, media = file_chunks(tables, row.table, selection, row.format, row.bom)
    chosen = selection.queryset().order_by()
    all_of_it = chosen.count() * (len(shared_tables()) if suffix == "zip" else 1)
    bots = list(chosen.values_list("bot", flat=True).distinct())
    path = folder() / f"{row.claim}.{suffix}"
    token = on_batch.set(_Progress(_progress_key(row), all_of_it))
    try:
        with closing(chunks):  # ends its transaction, also if the disk is full
            size, digest = _write(path, chunks)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise JobFailed(f"The file can’t be written: {error.strerror}.") from error
    finally:
        on_batch.reset(token)
    content = {"file": path.name, "media": media, "bytes": size, "sha256": digest, "bots": bots}
    return {"content": content}


def _may_have(row: ExportFile) -> bool:
    listed = row.table == EVERYTHING or row.table in allowed_tables(row.user.has_perm)
    return listed and row.user.has_perm(RIGHT) and _sees(row.user, row.content.get("bots", ()))


def _sees(user: User, bots: Iterable[int | None]) -> bool:
    """Return whether the user sees all interviews of these bots, as they did when it was made."""
    if team_keys(user) is None:
        return True
    return {*bots} <= {*visible(Bot.objects.all(), user).values_list("pk", flat=True)}


class _Progress:
    def __init__(self, key: str, all_of_it: int) -> None:
        self._key, self._all, self._done, self._told_at = key, all_of_it, 0, 0.0

    def __call__(self, sessions: int) -> None:
        self._done += sessions
        if time.monotonic() > self._told_at + TOLD_EVERY:
            self._told_at = time.monotonic()
            percent = min(99, 100 * self._done // max(1, self._all))
            cache.set(self._key, percent, KEPT.total_seconds())


def _write(path: Path, chunks: Iterator[bytes]) -> tuple[int, str]:
    with path.open("wb") as out:
        path.chmod(0o600)
        return write_chunks(out, chunks)


def _tell(row: ExportFile) -> None:
    if row.user.email:
        mail.request(Mail.Kind.EXPORT, to=row.user.email, export=row)


_job_type = JobType(ExportFile, _make, celery_task(TASK), after=_tell)
make = _job_type.run


def sweep(at_once: bool = False) -> int:
    """Make what waits; remove what is over: rows after their time, files that no row names."""
    old = ExportFile.objects.filter(created_at__lt=timezone.now() - KEPT)
    old.exclude(status__in=UNDER_WAY).delete()
    files = list(folder().iterdir())  # before the rows are read: none is missed meanwhile
    rows = ExportFile.objects.values_list("claim", "content__file")
    live = {name for claim, file in rows for name in (str(claim), Path(file or "").stem)}
    for path in files:
        if path.stem not in live:
            path.unlink(missing_ok=True)
    return _job_type.sweep(at_once)
