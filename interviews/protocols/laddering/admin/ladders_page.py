"""The page of a bot's ladders: which interviews, the value map, the implication matrix, files."""

from collections.abc import Callable, Iterator
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from unfold.decorators import action

from interviews.admin import export_page
from interviews.admin.access_log import record_seen
from interviews.admin.base import FieldworkAdmin, user_of
from interviews.exports.downloads import record_download
from interviews.exports.formats import FORMATS
from interviews.exports.pseudonyms import pseudonym
from interviews.exports.responses import streaming_response
from interviews.models import Node
from interviews.protocols.laddering.admin.diagram import (
    Drawing,
    DrawnEdge,
    DrawnNode,
    Quote,
    quoted,
    relations_of,
)
from interviews.protocols.laddering.admin.forms import LaddersForm
from interviews.protocols.laddering.admin.pooled import (
    MOST,
    NumberedCode,
    PooledLadders,
    taken_together,
)
from interviews.protocols.laddering.admin.tables import (
    codes_csv,
    grid,
    lines_of,
    map_csv,
    matrix_csv,
)
from interviews.protocols.laddering.exports.graph_files import zipped
from interviews.protocols.laddering.exports.value_map import ValueMap, shares

PAGE = "admin/interviews/graph/ladders.html"
SHOWN = 60  # codes in the matrix on the page; the file has all
CUTS = 15  # cut-offs that are offered
SEEN = "Read the ladders of its interviews."
GRAPHS = "graphs"
FILES: dict[str, Callable[[PooledLadders, int], Iterator[bytes]]] = {
    "matrix": lambda ladders, cut_off: matrix_csv(ladders),
    "map": map_csv,
    "codes": lambda ladders, cut_off: codes_csv(ladders),
}


@action(description="Ladders", icon="stairs_2", permissions=["view"])
def ladders(admin: FieldworkAdmin, request: HttpRequest) -> HttpResponseBase:
    """The ladders of a bot's interviews taken together.

    `?file=` one of FILES or GRAPHS downloads that of what the page shows.
    """
    form = LaddersForm(request.GET)
    if not form.is_valid():
        return _page(admin, request, form, None, 1)
    user = user_of(request)
    wanted = request.GET.get("file", "")
    if wanted == GRAPHS or wanted in FILES:
        return _file(request, user, form, wanted)
    record_seen(user, form.cleaned_data["bot"], SEEN)
    taken = taken_together(form.chosen)
    return _page(admin, request, form, taken, _cut_off(form, taken))


def _cut_off(form: LaddersForm, ladders: PooledLadders) -> int:
    return form.cleaned_data["cut"] or ladders.usual_cut_off


def _file(request: HttpRequest, user: User, form: LaddersForm, wanted: str) -> HttpResponseBase:
    if not export_page.may_export(request):
        raise PermissionDenied
    bot = form.cleaned_data["bot"]
    if wanted == GRAPHS:
        record_download(user, bot, "graphs", "graphml", form.chosen)
        return streaming_response(
            request, zipped(form.chosen), "application/zip", f"{bot.slug}-graphs.zip"
        )
    record_download(user, bot, f"ladders ({wanted})", "csv", form.chosen)
    ladders = taken_together(form.chosen)
    pieces = FILES[wanted](ladders, _cut_off(form, ladders))
    named = {"Content-Disposition": f'attachment; filename="{bot.slug}-{wanted}.csv"'}
    return HttpResponse(b"".join(pieces), content_type=FORMATS["csv"].media, headers=named)


def _page(
    admin: FieldworkAdmin,
    request: HttpRequest,
    form: LaddersForm,
    ladders: PooledLadders | None,
    cut_off: int,
) -> HttpResponse:
    context = {"title": "Ladders", "form": form, "ladders": ladders, "most": MOST}
    if ladders and ladders.codes:
        form.fields["cut"].widget.attrs["placeholder"] = cut_off
        context |= _shown(ladders, cut_off) | {"cuts": _cuts(request, ladders)}
        context |= (
            {"files": _addresses(request, cut_off)} if export_page.may_export(request) else {}
        )
    response = admin.page(request, PAGE, None, **context)
    response.status_code = 200 if form.is_valid() or "bot" not in request.GET else 400
    return response


def _addresses(request: HttpRequest, cut_off: int) -> dict[str, str]:
    """Where each file is, for what the page shows."""
    return {name: _address(request, cut=cut_off, file=name) for name in (*FILES, GRAPHS)}


def _address(request: HttpRequest, **asked: object) -> str:
    """The page's own address, with something else asked for."""
    kept = {name: value for name, value in request.GET.items() if name != "file"}
    return "?" + urlencode({**kept, **asked})


def _cuts(request: HttpRequest, ladders: PooledLadders) -> list[tuple[int, int, str]]:
    """Cut-offs, what share of direct ties each draws, and where it is shown."""
    return [
        (cut, part, _address(request, cut=cut))
        for cut, share in shares(ladders.cells, CUTS).items()
        if (part := round(100 * share))
    ]


def _shown(ladders: PooledLadders, cut_off: int) -> dict[str, object]:
    drawn = ladders.map_from(cut_off)
    most_said = sorted(ladders.tied, key=lambda one: -one.interviews)[:SHOWN]
    return {
        "cut_off": cut_off,
        "share": round(100 * drawn.share),
        "drawing": _drawing(ladders, drawn),
        "lines": lines_of(ladders, drawn.lines),
        "matrix_codes": most_said,
        "matrix": grid(ladders, most_said, drawn.lines),
    }


def _drawing(ladders: PooledLadders, drawn: ValueMap) -> Drawing:
    """The value map, drawn as the graph of one interview is; wider lines are in more interviews."""
    codes = [ladders.by_code[code.id] for _, listed in drawn.rungs for code in listed]
    most = max((cell.total for cell in drawn.lines), default=0)
    least = min((cell.total for cell in drawn.lines), default=0)
    upward = next(iter(relations_of(ladders.ladder)), "")
    said = _said(codes)
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
            for cell in drawn.lines
        ),
        said=said,
    )


def _node(one: NumberedCode, interviews: int) -> DrawnNode:
    facts = (("Type", one.type), ("Interviews", f"{one.interviews} of {interviews}"))
    quotes = tuple(f"{session} {node}" for session, node in one.code.nodes)
    return DrawnNode(one.code.id, one.code.text, one.rung - 1, str(one.number), facts, quotes)


def _said(codes: list[NumberedCode]) -> dict[str, Quote]:
    """What was said in each interview, with a link into its graph."""
    nodes = {node for one in codes for node in one.code.nodes}
    rows = Node.objects.filter(session__in={session for session, _ in nodes})
    told = rows.values_list("session", "key", "text", "session__participant")
    return {
        f"{session} {key}": Quote(
            quoted(text),
            pseudonym(participant),
            reverse("admin:interviews_session_graph", args=[session]) + f"#{key}",
        )
        for session, key, text, participant in told.order_by("session__started_at", "id")
        if (str(session), key) in nodes
    }
