import json
from collections.abc import Iterator

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone

from interviews.exports import codebook
from interviews.exports.archive import archive_chunks, table_chunks
from interviews.exports.columns import AnyTable
from interviews.exports.formats import FORMATS, Format
from interviews.exports.forms import EVERYTHING, ExportForm
from interviews.exports.registry import allowed_tables
from interviews.exports.responses import streaming_response
from interviews.exports.selection import Selection
from interviews.models import Session
from plans.models import Bot

LOG_PREFIX = "Exported "  # of the log entry of a download


def tables_for(user: User) -> dict[str, AnyTable]:
    return allowed_tables(user.has_perm)


def download(request: HttpRequest, user: User, form: ExportForm) -> StreamingHttpResponse:
    """Log the download, and return the file that a valid form asks for."""
    data, selection = form.cleaned_data, form.selection()
    bot, table, file_format = data["bot"], data["table"], FORMATS[data["format"]]
    record_download(user, bot, table, file_format.name, selection)
    chunks, suffix, media = _file(user, table, selection, file_format, data["bom"])
    return streaming_response(request, chunks, media, _file_name(bot, table, suffix))


def _file(
    user: User, name: str, selection: Selection, form: Format, bom: bool
) -> tuple[Iterator[bytes], str, str]:
    tables = tables_for(user)
    if name == EVERYTHING:  # tables with names only ever come as a file of their own
        without_names = [table for table in tables.values() if not table.right]
        return archive_chunks(without_names, selection, form, bom), "zip", "application/zip"
    return table_chunks(tables[name], selection, form, bom), form.name, form.media


def _file_name(bot: Bot | None, table: str, suffix: str) -> str:
    what = "interviews" if table == EVERYTHING else table
    day = timezone.now().date().isoformat()
    return f"{bot.slug if bot else 'all'}-{what}-{day}.{suffix}"


def codebook_file(user: User) -> HttpResponse:
    tables = tables_for(user).values()
    headers = {"Content-Disposition": 'attachment; filename="codebook.csv"'}
    return HttpResponse(
        codebook.as_csv(tables, bom=True), content_type=FORMATS["csv"].media, headers=headers
    )


def record_download(
    user: User, bot: Bot | None, table: str, form: str, selection: Selection
) -> None:
    count = selection.queryset().count()
    content_type = ContentType.objects.get_for_model(Bot if bot else Session)
    filters = json.dumps(selection.as_dict(), ensure_ascii=False)
    LogEntry.objects.create(
        user=user,
        content_type=content_type,
        object_id=str(bot.pk) if bot else None,
        object_repr=str(bot)[:200] if bot else "All bots",
        action_flag=CHANGE,
        change_message=f"{LOG_PREFIX}{table} as {form}, {count} interviews. {filters}",
    )


def logged_downloads() -> QuerySet[LogEntry]:
    entries = LogEntry.objects.filter(change_message__startswith=LOG_PREFIX)
    return entries.select_related("user").order_by("-action_time")
