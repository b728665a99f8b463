"""The page of a bot's ladders: which interviews, the value map, the implication matrix, files."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from unfold.decorators import action

from interviews.admin import export_page
from interviews.admin.access_log import record_seen
from interviews.admin.base import FieldworkAdmin, user_of
from interviews.exports.columns import AnyTable, Column, Table, Type
from interviews.exports.downloads import record_download
from interviews.exports.formats import FORMATS, csv
from interviews.exports.pseudonyms import pseudonym
from interviews.exports.responses import streaming_response
from interviews.models import Node
from interviews.protocols.laddering.admin.diagram import (
    Drawing,
    DrawnEdge,
    DrawnNode,
    Quote,
    relation_words,
    shorten_quote,
)
from interviews.protocols.laddering.admin.pooled import (
    MOST,
    LaddersForm,
    NumberedCode,
    PooledLadders,
    pool_ladders,
)
from interviews.protocols.laddering.exports.graphml import zip_graphs
from interviews.protocols.laddering.exports.matrix import MatrixCell, shares, value_map
from plans.admin.base import require
from plans.admin.exports import download

PAGE = "admin/interviews/graph/ladders.html"
SHOWN = 60  # codes in the matrix on the page; the file has all
CUTS = 15  # cut-offs that are offered
SEEN = "Read the ladders of its interviews."
GRAPHS = "graphs"


@action(description="Ladders", icon="stairs_2", permissions=["view"])
def ladders(admin: FieldworkAdmin, request: HttpRequest) -> HttpResponseBase:
    """Show the ladders of a bot's interviews taken together.

    `?file=` one of FILES or GRAPHS downloads that of what the page shows.
    """
    form = LaddersForm(request.GET, request.user)
    if not form.is_valid():
        return _page(admin, request, form, None, 1)
    user = user_of(request)
    wanted = request.GET.get("file", "")
    if wanted == GRAPHS or wanted in FILES:
        return _file(request, user, form, wanted)
    record_seen(user, form.cleaned_data["bot"], SEEN)
    pooled = pool_ladders(form.chosen)
    return _page(admin, request, form, pooled, _cut_off(form, pooled))


def _cut_off(form: LaddersForm, ladders: PooledLadders) -> int:
    return form.cleaned_data["cut"] or ladders.usual_cut_off


def _file(request: HttpRequest, user: User, form: LaddersForm, wanted: str) -> HttpResponseBase:
    require(request, export_page.RIGHT)
    bot, chosen = form.cleaned_data["bot"], form.chosen
    if wanted == GRAPHS:
        record_download(user, bot, "graphs", "graphml", chosen)
        return streaming_response(
            request, zip_graphs(chosen), "application/zip", f"{bot.slug}-graphs.zip"
        )
    record_download(user, bot, f"ladders ({wanted})", "csv", chosen)
    ladders = pool_ladders(chosen)
    content = b"".join(FILES[wanted](ladders, _cut_off(form, ladders)))
    return download(f"{bot.slug}-{wanted}.csv", FORMATS["csv"].media, content)


def _page(
    admin: FieldworkAdmin,
    request: HttpRequest,
    form: LaddersForm,
    ladders: PooledLadders | None,
    cut_off: int,
) -> HttpResponse:
    context: dict[str, Any] = {"title": "Ladders", "form": form, "ladders": ladders, "most": MOST}
    context["query"] = urlencode({k: v for k, v in request.GET.items() if k != "cut"})
    if ladders and ladders.codes:
        form.fields["cut"].widget.attrs["placeholder"] = cut_off
        context |= _ladders_context(ladders, cut_off) | {"cuts": _cuts(request, ladders)}
        if export_page.may_export(request):
            names = (*FILES, GRAPHS)
            context["files"] = {name: _url(request, cut=cut_off, file=name) for name in names}
    response = admin.page(request, PAGE, None, **context)
    response.status_code = 200 if form.is_valid() or "bot" not in request.GET else 400
    return response


def _url(request: HttpRequest, **changes: object) -> str:
    query = {name: value for name, value in request.GET.items() if name != "file"}
    return "?" + urlencode({**query, **changes})


def _cuts(request: HttpRequest, ladders: PooledLadders) -> list[tuple[int, int, str]]:
    """Return cut-offs with the percentage of direct ties that each draws, and its address."""
    return [
        (cut, percent, _url(request, cut=cut))
        for cut, share in shares(ladders.cells, CUTS).items()
        if (percent := round(100 * share))
    ]


def _ladders_context(ladders: PooledLadders, cut_off: int) -> dict[str, object]:
    drawn = value_map(ladders.cells, cut_off)
    most_said = sorted(ladders.tied, key=lambda one: -one.interviews)[:SHOWN]
    return {
        "cut_off": cut_off,
        "share": round(100 * drawn.share),
        "drawing": _drawing(ladders, drawn.lines),
        "lines": map_lines(ladders, drawn.lines),
        "matrix_codes": most_said,
        "matrix": matrix_grid(ladders, most_said, drawn.lines),
    }


def _drawing(ladders: PooledLadders, lines: Sequence[MatrixCell]) -> Drawing:
    touched = {end for cell in lines for end in (cell.source, cell.target)}
    codes = [one for one in ladders.codes if one.code.id in touched]
    most = max((cell.total for cell in lines), default=0)
    least = min((cell.total for cell in lines), default=0)
    upward = next(iter(relation_words(ladders.ladder)), "")
    return Drawing(
        rungs=tuple(rung.name for rung in ladders.ladder.rungs),
        relations={upward: upward.replace("_", " ")},
        nodes=tuple(_node(one, len(ladders.sessions)) for one in codes),
        edges=tuple(
            DrawnEdge(
                source=cell.source,
                target=cell.target,
                relation=upward,
                note=f"in {cell.total} ({cell.direct} directly)",
                weight=round((cell.total - least) / max(1, most - least), 3),
            )
            for cell in lines
        ),
        said=_quotes(codes),
    )


def _node(one: NumberedCode, interviews: int) -> DrawnNode:
    facts = (("Type", one.type), ("Interviews", f"{one.interviews} of {interviews}"))
    quotes = tuple(f"{session} {node}" for session, node in one.code.nodes)
    return DrawnNode(one.code.id, one.code.text, one.rung - 1, str(one.number), facts, quotes)


def _quotes(codes: list[NumberedCode]) -> dict[str, Quote]:
    nodes = {node for one in codes for node in one.code.nodes}
    rows = Node.objects.filter(session__in={session for session, _ in nodes})
    values = rows.values_list("session", "key", "text", "session__participant")
    return {
        f"{session} {key}": Quote(
            shorten_quote(text),
            pseudonym(participant),
            reverse("admin:interviews_session_graph", args=[session]) + f"#{key}",
        )
        for session, key, text, participant in values.order_by("session__started_at", "id")
        if (str(session), key) in nodes
    }


class MatrixRow(NamedTuple):
    source: NumberedCode
    cells: dict[int, MatrixCell]  # by the number of the code that it leads to


class MatrixRelation(NamedTuple):
    source: NumberedCode
    target: NumberedCode
    cell: MatrixCell


def matrix_rows(ladders: PooledLadders, codes: tuple[NumberedCode, ...]) -> list[MatrixRow]:
    numbers = {one.code.id: one.number for one in codes}
    rows: dict[str, dict[int, MatrixCell]] = {one.code.id: {} for one in codes}
    for cell in ladders.cells:
        if cell.source in numbers and cell.target in numbers:
            rows[cell.source][numbers[cell.target]] = cell
    return [MatrixRow(one, rows[one.code.id]) for one in codes]


def matrix_grid(
    ladders: PooledLadders, codes: Iterable[NumberedCode], lines: Iterable[MatrixCell]
) -> dict[str, Any]:
    """Return the columns, and rows: a source, and each cell with whether the value map draws it."""
    drawn = frozenset(lines)
    listed = tuple(sorted(codes, key=attrgetter("number")))
    rows = [row for row in matrix_rows(ladders, listed) if row.cells]
    reached = {number for row in rows for number in row.cells}
    columns = [one for one in listed if one.number in reached]
    cells = [(row.source, [row.cells.get(one.number) for one in columns]) for row in rows]
    return {
        "columns": columns,
        "rows": [(source, [(cell, cell in drawn) for cell in row]) for source, row in cells],
    }


def map_lines(ladders: PooledLadders, cells: tuple[MatrixCell, ...]) -> list[MatrixRelation]:
    known = ladders.by_code
    lines = [MatrixRelation(known[cell.source], known[cell.target], cell) for cell in cells]
    return sorted(lines, key=lambda line: -line.cell.total)


def matrix_csv(ladders: PooledLadders, cut_off: int) -> Iterator[bytes]:
    columns = (
        _integer("number", "source.number"),
        _string("code", "source.code.text"),
        _string("type", "source.type"),
        *(Column(str(one.number), Type.STRING, "", _cell(one.number)) for one in ladders.tied),
    )
    return _csv("matrix", columns, matrix_rows(ladders, ladders.tied))


def _cell(number: int) -> Callable[[MatrixRow], str | None]:
    return lambda row: str(row.cells[number]) if number in row.cells else None


def map_csv(ladders: PooledLadders, cut_off: int) -> Iterator[bytes]:
    columns = (
        _integer("source_number", "source.number"),
        _string("source", "source.code.text"),
        _string("source_type", "source.type"),
        _integer("target_number", "target.number"),
        _string("target", "target.code.text"),
        _string("target_type", "target.type"),
        _integer("direct", "cell.direct"),
        _integer("indirect", "cell.indirect"),
        _integer("interviews", "cell.total"),
    )
    return _csv("map", columns, map_lines(ladders, value_map(ladders.cells, cut_off).lines))


def codes_csv(ladders: PooledLadders, cut_off: int) -> Iterator[bytes]:
    columns = (
        _integer("number", "number"),
        _string("code", "code.text"),
        _string("type", "type"),
        _integer("interviews", "interviews"),
        _integer("code_id", "code.key"),
        Column("nodes", Type.STRING, "", _nodes),
    )
    return _csv("codes", columns, ladders.codes)


def _nodes(one: NumberedCode) -> str:
    return "\n".join(f"{session} {node}" for session, node in one.code.nodes)


def _integer(name: str, attribute: str) -> Column[Any]:
    return Column(name, Type.INTEGER, "", attrgetter(attribute))


def _string(name: str, attribute: str) -> Column[Any]:
    return Column(name, Type.STRING, "", attrgetter(attribute))


def _csv(name: str, columns: tuple[Column[Any], ...], rows: Any) -> Iterator[bytes]:
    table: AnyTable = Table(name, "", columns, lambda chosen: iter(()))
    return csv.write(table, rows, True)


FILES: dict[str, Callable[[PooledLadders, int], Iterator[bytes]]] = {
    "matrix": matrix_csv,
    "map": map_csv,
    "codes": codes_csv,
}
