"""The page on which a person codes: merge, move, rename, set the rung; undo; suggestions."""

from collections import defaultdict
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse

from interviews.admin.access_log import record_seen
from interviews.admin.base import FieldworkAdmin, user_of
from interviews.exports.pseudonyms import pseudonym
from interviews.models import CodeSuggestion, CodingStep, Node
from interviews.protocols.laddering.admin.pooled import (
    LaddersForm,
    NumberedCode,
    PooledLadders,
    languages_of,
    pool_ladders,
)
from interviews.protocols.laddering.codes import steps
from interviews.protocols.laddering.codes.suggestions import open_suggestions, suggest
from interviews.protocols.laddering.exports.matrix import shares
from llm.routing.routes import has_model
from plans.admin.base import require
from plans.models import Bot

RIGHT = "interviews.change_code"
URL = "admin:interviews_session_codes"
SEEN = "Read the codes of its interviews."
CUTS = 5  # cut-offs whose share is shown
STEPS = 30  # of the history
MISSING = {"rename": "Write the new name first.", "retype": "Choose a rung first."}
NO_MODEL = "Found by comparing words, because no model answered: "


def codes(admin: FieldworkAdmin, request: HttpRequest) -> HttpResponse:
    """Show the codes of a bot's interviews; a POST with `do` changes them."""
    if not admin.has_view_permission(request):
        raise PermissionDenied
    form = LaddersForm(request.GET, request.user)
    del form.fields["cut"]
    if not form.is_valid():
        raise Http404
    bot: Bot = form.cleaned_data["bot"]
    ladders = pool_ladders(form.chosen)
    if request.method == "POST":
        return _change(request, bot, ladders)
    record_seen(user_of(request), bot, SEEN)
    return admin.page(
        request,
        "admin/interviews/graph/codes.html",
        bot,
        title="Codes",
        form=form,
        bot=bot,
        ladders=ladders,
        may_change=request.user.has_perm(RIGHT),
        query=urlencode(request.GET),
        shares=[(cut, round(100 * part)) for cut, part in shares(ladders.cells, CUTS).items()],
        **_lists(bot, ladders),
    )


# -- what is shown


def _lists(bot: Bot, ladders: PooledLadders) -> dict[str, Any]:
    known = {one.code.key: one for one in ladders.codes}
    said = _statements(ladders)
    rungs = ladders.ladder.rungs[::-1]
    return {
        "rungs": [
            (rung, [(one, said[one.code.key]) for one in ladders.codes if one.rung == rung.number])
            for rung in rungs
        ],
        "suggestions": [
            (row, [known[key] for key in keys]) for row, keys in open_suggestions(bot.pk, known)
        ],
        "refused": CodeSuggestion.objects.filter(bot=bot, refused=True).count(),
        "history": [
            (step, _step_text(step, known, {rung.id: rung.name for rung in rungs}))
            for step in CodingStep.objects.filter(bot=bot).order_by("-id")[:STEPS]
        ],
        "last": steps.last_step(bot.pk),
        "undone": steps.next_undone(bot.pk),
        "has_model": has_model(),
    }


def _statements(ladders: PooledLadders) -> dict[int, list[dict[str, Any]]]:
    rungs = ladders.ladder.by_type
    nodes = Node.objects.filter(session__in=ladders.sessions).exclude(code=None)
    fields = ("pk", "code_id", "text", "type", "key", "session", "session__participant")
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for pk, code, text, kind, key, session, participant in nodes.order_by(
        "session__started_at", "id"
    ).values_list(*fields):
        url = reverse("admin:interviews_session_graph", args=[session]) + f"#{key}"
        said = {"key": pk, "text": text, "rung": rungs[kind], "url": url}
        found[code or 0].append(said | {"who": pseudonym(participant)})
    return found


def _step_text(step: CodingStep, known: dict[int, NumberedCode], rungs: dict[str, str]) -> str:
    texts = {str(key): one.code.text for key, one in known.items()}
    after = step.after["codes"]
    named = ", ".join(f"“{one[0] or texts.get(key, f'code {key}')}”" for key, one in after.items())
    if count := len(step.after["nodes"]):
        return f"{step.kind}d {count} statement{'s' if count > 1 else ''} into {named}"
    if step.kind == "retype":
        kinds = {rungs.get(kind, kind) for _, kind in after.values()}
        return f"set the rung of {named} to {', '.join(kinds)}"
    old = next(iter(step.before["codes"].values()))[0]
    return f"renamed “{old}” to {named}" if old else f"named a code {named}"


# -- what is done


def _change(request: HttpRequest, bot: Bot, ladders: PooledLadders) -> HttpResponse:
    require(request, RIGHT)
    anchor = ""
    try:
        if request.POST.get("do") in ("suggest", "forget"):
            _suggest(request, bot, ladders)  # a transaction would hold up all until a model answers
        else:
            with transaction.atomic():
                anchor = _do(request, bot, ladders)
    except steps.StepRefused as why:
        messages.error(request, str(why))
    return redirect(f"{reverse(URL)}?{urlencode(request.GET)}{anchor}")


def _do(request: HttpRequest, bot: Bot, ladders: PooledLadders) -> str:
    """Do what was asked for; return which part of the page to show."""
    data, coder = request.POST, steps.CodingBy(bot.pk, user_of(request).get_username())
    verb = data.get("do", "").partition(" ")[0]
    codes, nodes, name = _keys(data, "code"), _keys(data, "node"), _name(data, "name")
    kind = data.get("type", "")
    key = 0
    if verb in ("accept", "refuse"):
        _answer(data, coder)
        return "#suggestions"
    match verb:
        case "merge":
            key = coder.merge(codes, name)
        case "move":
            key = coder.move(nodes, codes, next(iter(_keys(data, "target")), None), name)
        case "rename" if name:
            key = coder.change(codes, name=name)
        case "retype" if kind in ladders.ladder.types:
            key = coder.retype(codes, nodes, kind)
        case "undo" | "redo":
            coder.undo(again=verb == "redo")
        case _:
            raise steps.StepRefused(MISSING.get(verb, "Choose what to do."))
    return f"#c{key}" if key else ""


def _keys(data: QueryDict, name: str) -> list[int]:
    return [int(value) for value in data.getlist(name) if value.isdecimal() and len(value) < 19]


def _name(data: QueryDict, field: str) -> str:
    return " ".join(data.get(field, "").split())[:200]


def _suggest(request: HttpRequest, bot: Bot, ladders: PooledLadders) -> None:
    if request.POST["do"] == "forget":
        CodeSuggestion.objects.filter(bot=bot, refused=True).delete()
    language = request.GET.get("language") or next(iter(languages_of(bot)), "en")
    reason = suggest(bot, language, ladders.pool.codes, ladders.ladder.rungs)
    if reason and has_model():
        messages.warning(request, NO_MODEL + reason)
    if not CodeSuggestion.objects.filter(bot=bot, refused=False).exists():
        messages.info(request, "No codes seem to mean the same.")


def _answer(data: QueryDict, coder: steps.CodingBy) -> None:
    """Accept or refuse suggestions: one by its own button, or all that are ticked."""
    verb, _, one = data.get("do", "").partition(" ")
    chosen = [int(one)] if one.isdecimal() else _keys(data, "suggestion")
    rows = CodeSuggestion.objects.filter(bot=coder.bot, refused=False, pk__in=chosen)
    if not rows:
        raise steps.StepRefused("Choose suggestions first.")
    if verb == "refuse":
        rows.update(refused=True)
        return
    for row in rows:
        members = [key for key in _keys(data, f"in-{row.pk}") if key in row.codes]
        coder.merge(members, _name(data, f"name-{row.pk}"))
        row.delete()
