"""Exports over HTTP, at once or in the background. The docstrings are descriptions in OpenAPI."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any, Literal
from uuid import UUID

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from ninja import Query, Router, Schema
from ninja.responses import Status
from ninja.security.http import HttpAuthBase
from pydantic import ConfigDict, Field

from interviews.api.authentication import bearer_token
from interviews.api.router import problems
from interviews.api.schemas import Problem
from interviews.choices import SessionStatus
from interviews.exports import files
from interviews.exports.archive import table_chunks
from interviews.exports.columns import AnyTable
from interviews.exports.cursors import MOST, BadCursor, Cursor, Page, decode, encode, page_of
from interviews.exports.downloads import record_download
from interviews.exports.formats import FORMATS
from interviews.exports.registry import EVERYTHING, TABLES, allowed_tables
from interviews.exports.responses import conditional_response, streaming_response
from interviews.exports.selection import Selection, days
from interviews.exports.tokens import user_of_token
from interviews.models import ExportFile
from interviews.validation import RequestRefused
from llm.concurrency.threads import in_database
from plans.bots.teams import visible
from plans.models import Bot


class ExportTokenAuth(HttpAuthBase):
    """An export token, made in the admin under System."""

    openapi_scheme = "bearer"

    def __init__(self) -> None:
        super().__init__()
        self.is_async = True

    async def __call__(self, request: HttpRequest) -> User:
        return await in_database(user_of_token, bearer_token(request))


router = Router(tags=["exports"], auth=ExportTokenAuth())


class ExportFilters(Schema):
    """Which interviews; without filters all that the token's user may export."""

    bot: str = Field("", pattern=r"^[\w-]*$", description="Address (slug) of the bot")
    started_from: date | None = Field(None, description="First day of their start, in UTC")
    started_until: date | None = Field(None, description="Last day of their start, in UTC")
    status: list[SessionStatus] = Field([], description="May be repeated")
    language: str = Field("", pattern=r"^[\w-]*$", description="Tag, such as en or pt-BR")
    synthetic: bool = Field(False, description="With interviews that a program answered")
    previews: bool = Field(False, description="With interviews held to try a bot")


class TableQuery(ExportFilters):
    format: Literal["jsonl", "csv"] = "jsonl"
    bom: bool = Field(False, description="CSV begins with a byte order mark")
    since: str = Field(
        "",
        description="Only interviews that changed since a time (ISO 8601; UTC if it says nothing) "
        "or since the export that returned this `Export-Cursor`. They come whole: replace what you "
        "have of them by `session_id`.",
    )
    limit: int | None = Field(None, ge=1, le=MOST, description="Interviews in this answer")


class ColumnOut(Schema):
    name: str
    type: str
    meaning: str
    values: dict[str, str]


class TableOut(Schema):
    """A table that this token may export."""

    name: str
    meaning: str
    columns: list[ColumnOut]


class ExportIn(ExportFilters):
    model_config = ConfigDict(extra="forbid")
    table: str = Field(description="A table, or “all” for a ZIP of all that need no other right")
    format: Literal["csv", "jsonl", "xlsx"] = "csv"
    bom: bool = False
    since: datetime | None = Field(None, description="Only interviews that changed since then")


class ExportOut(Schema):
    """An export made in the background."""

    id: UUID
    table: str
    format: str
    status: ExportFile.Status
    progress: int = Field(description="Percent")
    reason: str = Field(description="Why it failed, or is tried again")
    created_at: datetime
    bytes: int | None
    sha256: str | None
    file: str | None = Field(description="Path of the file, once it is ready; kept for 7 days")


HEADERS = {
    "ETag": "Of answers up to 4 MB: send it as If-None-Match to get 304 if nothing has changed",
    "Export-Cursor": "Send it as `since`, with the same filters, for the next page or changes",
    "Export-More": "true if there are more pages, false if only what changes from now on is left",
}
FILE = {
    "responses": {
        200: {
            "description": "The rows, one a line",
            "headers": {
                name: {"description": text, "schema": {"type": "string"}}
                for name, text in HEADERS.items()
            },
            "content": {"application/x-ndjson": {}, "text/csv": {}},
        },
        304: {"description": "Nothing has changed"},
    }
}


PROBLEMS = {401: Problem, **problems}


@router.get("/exports/tables", response={200: list[TableOut], **PROBLEMS})
async def tables(request: HttpRequest) -> Any:
    """The tables that this token may export, with their columns."""
    return list((await in_database(allowed_tables, _user(request).has_perm)).values())


@router.get("/exports/tables/{name}", response=PROBLEMS, openapi_extra=FILE)
async def table(request: HttpRequest, name: str, query: Query[TableQuery]) -> HttpResponseBase:
    """The rows of a table as JSON lines or CSV, streamed.

    To stay up to date, keep `Export-Cursor` and send it as `since` the next time. Rows of withdrawn
    interviews come in no table but `sessions`, with the status WITHDRAWN: delete what you have.
    """
    if unknown := set(request.GET) - set(TableQuery.model_fields):
        raise RequestRefused("bad_filter", f"Unknown: {', '.join(sorted(unknown))}.")
    user = _user(request)
    found, selection, page = await in_database(_find, user, name, query)
    form = FORMATS[query.format]
    chunks = table_chunks(found, page.selection, form, query.bom)
    response = await conditional_response(request, chunks, form.media, f"{name}.{form.name}")
    if response.status_code == 200:
        await in_database(_record, user, name, form.name, page.selection)
    response["Export-Cursor"] = encode(page.cursor, found, selection)
    response["Export-More"] = str(page.has_more).lower()
    return response


@router.post("/exports", response={202: ExportOut, **PROBLEMS})
async def begin(request: HttpRequest, data: ExportIn) -> Any:
    """Begins an export in the background, for long ones: also XLSX, and the ZIP of everything."""
    return Status(202, _described(await in_database(_begin, _user(request), data)))


@router.get("/exports/{uuid:key}", response={200: ExportOut, **PROBLEMS})
async def status(request: HttpRequest, key: UUID) -> Any:
    """How far an export is."""
    return _described(await in_database(files.find, _user(request), key))


@router.get("/exports/{uuid:key}/file", response=PROBLEMS)
async def file(request: HttpRequest, key: UUID) -> HttpResponseBase:
    """The file of an export that is ready."""
    row, chunks = await in_database(files.open_file, _user(request), key)
    return streaming_response(request, chunks, row.content["media"], files.name_of(row))


def _begin(user: User, data: ExportIn) -> ExportFile:
    if data.table != EVERYTHING:
        find_table(user, data.table)
    selection = find_selection(user, data)
    if data.since:
        selection = replace(selection, changed_since=_in_utc(data.since))
    bot = _bot(selection)
    return files.request_file(user, bot, data.table, data.format, data.bom, selection)


def _described(row: ExportFile) -> dict[str, Any]:
    same = {
        name: getattr(row, name) for name in ("table", "format", "status", "reason", "created_at")
    }
    return {
        **same,
        "id": row.key,
        "progress": files.progress(row),
        "bytes": row.content.get("bytes"),
        "sha256": row.content.get("sha256"),
        "file": f"/api/exports/{row.key}/file" if row.content else None,
    }


def _user(request: HttpRequest) -> User:
    return request.auth  # type: ignore[attr-defined,no-any-return]  # set by the router


def _record(user: User, name: str, form: str, selection: Selection) -> None:
    record_download(user, _bot(selection), name, form, selection)


def _bot(selection: Selection) -> Bot | None:
    return Bot.objects.filter(pk=selection.bot).first() if selection.bot else None


def _find(user: User, name: str, query: TableQuery) -> tuple[AnyTable, Selection, Page]:
    """Raises RequestRefused: unknown_table, forbidden, unknown_bot, bad_filter."""
    found, selection = find_table(user, name), find_selection(user, query)
    cursor = _cursor(query.since, found, selection)
    paged = any(column.of_session for column in found.columns)  # the others are small
    limit = query.limit if paged else None
    return found, selection, page_of(selection, cursor, limit, timezone.now())


def find_table(user: User, name: str) -> AnyTable:
    allowed = allowed_tables(user.has_perm)
    if name in TABLES and name not in allowed:
        right = TABLES[name].right
        raise RequestRefused("forbidden", f"This table needs the permission {right}.")
    if name not in allowed:
        names = ", ".join(allowed)
        raise RequestRefused("unknown_table", f"There’s no such table. There are: {names}.")
    return allowed[name]


def find_selection(user: User, query: ExportFilters) -> Selection:
    bot = visible(Bot.objects.filter(slug=query.bot), user).first() if query.bot else None
    if query.bot and bot is None:
        raise RequestRefused("unknown_bot", "There’s no bot with this address.")
    if query.started_from and query.started_until and query.started_from > query.started_until:
        raise RequestRefused("bad_filter", "`started_until` is before `started_from`.")
    since, before = days(query.started_from, query.started_until)
    return Selection(
        bot=bot.pk if bot else None,
        since=since,
        before=before,
        statuses=tuple(map(str, query.status)),
        language=query.language,
        synthetic=query.synthetic,
        previews=query.previews,
        user=user,
    )


def _cursor(since: str, found: AnyTable, selection: Selection) -> Cursor:
    plain = since.replace(" ", "+")  # as which a + comes that wasn't written %2B
    try:
        moment = datetime.fromisoformat(plain) if since else None
    except ValueError:
        try:
            return decode(since, found, selection)
        except BadCursor as error:
            raise RequestRefused("bad_filter", f"`since`: {error}") from error
    return Cursor(moment and _in_utc(moment))


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError as error:  # the year 0 or 10,000 there
        raise RequestRefused("bad_filter", "`since`: This is no time.") from error
