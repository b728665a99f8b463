from collections.abc import Generator, Mapping

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from interviews.exports.archive import archive_chunks, table_chunks
from interviews.exports.columns import AnyTable
from interviews.exports.formats import FORMATS
from interviews.exports.refi_qda.project import PROJECT_FORMATS
from interviews.exports.registry import EVERYTHING, shared_tables
from interviews.exports.selection import Selection
from interviews.models import AccessRecord
from interviews.webhooks import tell_of_export
from plans.bots.teams import visible
from plans.models import Bot

EXPORTED = "Exported "  # how the record of a download begins


def file_chunks(
    tables: Mapping[str, AnyTable], name: str, selection: Selection, format_name: str, bom: bool
) -> tuple[Generator[bytes, None, None], str, str]:
    """Return the content of the file of one of the tables or of all, its suffix and media type."""
    if format_name in PROJECT_FORMATS:
        project = PROJECT_FORMATS[format_name]
        return project.chunks(selection), format_name, project.media
    form = FORMATS[format_name]
    if name == EVERYTHING:
        return archive_chunks(shared_tables(), selection, form, bom), "zip", "application/zip"
    return table_chunks(tables[name], selection, form, bom), form.name, form.media


def file_name(bot: Bot | None, table: str, suffix: str) -> str:
    what = "interviews" if table == EVERYTHING or suffix in PROJECT_FORMATS else table
    day = timezone.now().date().isoformat()
    return f"{bot.slug if bot else 'all'}-{what}-{day}.{suffix}"


def record_download(
    user: User, bot: Bot | None, table: str, form: str, selection: Selection
) -> None:
    """Call it before anything is sent: who exports what is on record, and webhooks are told."""
    count = selection.queryset().count()
    what = f"{EXPORTED}{table} as {form}, {count} interviews."
    named = selection.sessions[0] if len(selection.sessions) == 1 else None
    filters = selection.as_dict()
    with transaction.atomic():
        AccessRecord.add(user, what, bot=bot, session=named, filters=filters)
        data = {"table": table, "format": form, "interviews": count, "by": user.get_username()}
        tell_of_export(user, bot, {**data, "bot": bot and bot.slug, "filters": filters})


def recorded_downloads(user: User) -> QuerySet[AccessRecord]:
    records = AccessRecord.objects.filter(what__startswith=EXPORTED)
    return visible(records, user).select_related("bot")
