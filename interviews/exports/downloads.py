"""Downloads: what was asked for becomes a file, and is put on record first."""

import json
from collections.abc import Iterator

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone

from interviews.exports import codebook
from interviews.exports.archive import archived
from interviews.exports.columns import AnyTable
from interviews.exports.export_stream import exported
from interviews.exports.formats import FORMATS, Format
from interviews.exports.forms import EVERYTHING, ExportForm
from interviews.exports.registry import allowed
from interviews.exports.responses import streamed
from interviews.exports.selection import Selection
from interviews.models import Session
from plans.models import Bot

RECORD = "Exported "  # how the record of a download begins


def tables_for(user: User) -> dict[str, AnyTable]:
    """The tables that this person may export."""
    return allowed(user.has_perm)


def download(request: HttpRequest, user: User, form: ExportForm) -> StreamingHttpResponse:
    """The file that a valid form asks for."""
    told, chosen = form.cleaned_data, form.selection()
    record(user, told["bot"], told["table"], told["format"], chosen)
    written = FORMATS[told["format"]]
    chunks, suffix, media = _file(user, told["table"], chosen, written, told["bom"])
    return streamed(request, chunks, media, _name(told["bot"], told["table"], suffix))


def _file(
    user: User, name: str, chosen: Selection, written: Format, bom: bool
) -> tuple[Iterator[bytes], str, str]:
    """The file's pieces, its ending and its media type."""
    tables = tables_for(user)
    if name == EVERYTHING:  # names only ever come in a file of their own
        without_names = [table for table in tables.values() if not table.right]
        return archived(without_names, chosen, written, bom), "zip", "application/zip"
    return exported(tables[name], chosen, written, bom), written.name, written.media


def _name(bot: Bot | None, table: str, suffix: str) -> str:
    what = "interviews" if table == EVERYTHING else table
    day = timezone.now().date().isoformat()
    return f"{bot.slug if bot else 'all'}-{what}-{day}.{suffix}"


def codebook_file(user: User) -> HttpResponse:
    """The codebook of the tables that this person may export."""
    tables = tables_for(user).values()
    headers = {"Content-Disposition": 'attachment; filename="codebook.csv"'}
    return HttpResponse(
        codebook.as_csv(tables, bom=True), content_type=FORMATS["csv"].media, headers=headers
    )


# -- on record


def record(user: User, bot: Bot | None, table: str, form: str, chosen: Selection) -> None:
    """Who takes what, written before the first byte leaves."""
    count = chosen.queryset().count()
    model = ContentType.objects.get_for_model(Bot if bot else Session)
    filters = json.dumps(chosen.described(), ensure_ascii=False)
    LogEntry.objects.create(
        user=user,
        content_type=model,
        object_id=str(bot.pk) if bot else None,
        object_repr=str(bot)[:200] if bot else "All bots",
        action_flag=CHANGE,
        change_message=f"{RECORD}{table} as {form}, {count} interviews. {filters}",
    )


def downloads_on_record() -> QuerySet[LogEntry]:
    """All of them, the latest first."""
    entries = LogEntry.objects.filter(change_message__startswith=RECORD)
    return entries.select_related("user").order_by("-action_time")
