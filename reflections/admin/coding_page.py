"""The page on which a person codes an interview: excerpts, the codebook, a model's suggestions."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.decorators import action

from interviews.admin.access_log import record_seen
from interviews.admin.base import FieldworkAdmin, user_of
from interviews.admin.extensions import SessionAction, SessionExtension
from interviews.admin.querysets import who
from interviews.admin.sessions import SessionAdmin
from interviews.models import Session, TranscriptEntry, Turn
from llm.routing.routes import has_model
from plans.jobs import UNDER_WAY
from reflections.admin.statements import QuoteSpan, TextPiece, pieces
from reflections.coding import suggestions
from reflections.coding.codebook import (
    Codes,
    CodingRefused,
    add_excerpt,
    change_code,
    codes_of,
    delete_code,
    excerpts_in,
    find_or_create,
    in_levels,
    mark_changed,
)
from reflections.coding.suggestions import SuggestedExcerpt
from reflections.models import CodeSuggestions, Excerpt

RIGHT = "reflections.change_excerpt"
CODED = "coded"  # a span, and not only suggested
MARK = '<mark class="coding-mark{}">{}</mark>'


@dataclass(frozen=True)
class CodedEntry:
    """An utterance with what is coded in it, and what a model suggests."""

    entry: TranscriptEntry
    excerpts: Sequence[Excerpt]
    suggested: Sequence[tuple[SuggestedExcerpt, str]]  # with the quote

    @property
    def html(self) -> SafeString:
        """The text, with each passage marked; white space as it was said, for the page counts."""
        spans = [QuoteSpan(CODED, one.start, one.end) for one in self.excerpts]
        spans += [QuoteSpan("", one.start, one.end) for one, _ in self.suggested]
        return format_html_join(
            "", "{}", ((_marked(one),) for one in pieces(self.entry.text, spans))
        )


def _marked(piece: TextPiece) -> str:
    if not piece.quotes:
        return piece.text
    depth = piece.quotes.count(CODED)
    looks = f"{' coding-deep' if depth > 1 else ''}{'' if depth else ' coding-asked'}"
    return format_html(MARK, looks, piece.text)


@action(description="Code", icon="sell", permissions=["view", "code"])
def coding(admin: FieldworkAdmin, request: HttpRequest, object_id: str) -> HttpResponseBase:
    """Show an interview with its excerpts; a POST with `do` changes them."""
    session: Session = admin.row(request, object_id)
    may_change = request.user.has_perm(RIGHT) and session.bot is not None
    if request.method == "POST":
        if not may_change:
            raise PermissionDenied
        return _change(request, session)
    record_seen(user_of(request), session)
    codes = codes_of(session.bot, request.user) if session.bot else {}
    row = CodeSuggestions.objects.filter(session=session).first()
    return admin.page(
        request,
        "admin/reflections/coding.html",
        session,
        title="Coding",
        who=who(session),
        session=session,
        may_change=may_change,
        codes=_with_counts(codes),
        entries=_entries(session, codes, row),
        asked=row,
        busy=row is not None and row.status in UNDER_WAY,
        unfounded=suggestions.suggestions_in(row).unfounded,
        open=len(suggestions.open_suggestions(row)),
        has_model=has_model(),
        notices=[*messages.get_messages(request)],
    )


def _with_counts(codes: Codes) -> list[tuple[int, Any, int]]:
    used = Excerpt.objects.filter(code__in=codes).order_by().values_list("code")
    counts = dict(used.annotate(Count("pk")))
    return [(depth, code, counts.get(code.pk, 0)) for depth, code in in_levels(codes)]


def _entries(session: Session, codes: Codes, row: CodeSuggestions | None) -> Iterable[CodedEntry]:
    excerpts = list(excerpts_in(session, codes))
    open_ = suggestions.open_suggestions(row)
    said = session.entries.filter(turn__status=Turn.Status.DONE).exclude(text="")
    for entry in said.order_by("position"):
        suggested = [
            (one, entry.text[one.start : one.end])
            for one in open_
            if one.position == entry.position
        ]
        yield CodedEntry(entry, [e for e in excerpts if e.entry_id == entry.pk], suggested)


# -- what is done


def _change(request: HttpRequest, session: Session) -> HttpResponse:
    anchor = ""
    verb, _, key = request.POST.get("do", "").partition(" ")
    try:
        if verb not in ACTIONS:
            raise CodingRefused("Choose what to do.")
        with transaction.atomic():
            number = int(key) if key.isdecimal() else 0
            mark_changed({number} if verb in ("store", "delete") else (), session.pk)
            anchor = ACTIONS[verb](request, session, number)
    except CodingRefused as why:
        messages.error(request, str(why))
    return redirect(reverse("admin:interviews_session_coding", args=[session.pk]) + anchor)


def _add(request: HttpRequest, session: Session, key: int) -> str:
    data = request.POST
    entry = session.entries.filter(position=_number(data, "position")).first()
    start, end = _number(data, "start"), _number(data, "end")
    if entry is None or entry.text[start:end] != data.get("quote", "").replace("\r\n", "\n"):
        raise CodingRefused("These words aren’t in the transcript. Select them again.")
    user = user_of(request)
    code = find_or_create(_bot(session), data.get("code", ""), user)
    memo = data.get("memo", "").strip()
    add_excerpt(entry, code, start, end, user.get_username(), memo=memo)
    return f"#e{entry.position}"


def _excerpt(request: HttpRequest, session: Session, key: int) -> Excerpt:
    codes = codes_of(_bot(session), request.user)
    found = Excerpt.objects.filter(session=session, code__in=codes, pk=key)
    if excerpt := found.select_related("entry").first():
        return excerpt
    raise CodingRefused("This excerpt has been removed.")


def _memo(request: HttpRequest, session: Session, key: int) -> str:
    excerpt = _excerpt(request, session, key)
    excerpt.memo = _text(request.POST, f"memo-{key}", excerpt.memo)
    now = "on" if excerpt.against else ""
    excerpt.against = _text(request.POST, f"against-{key}", now) == "on"
    excerpt.save(update_fields=["memo", "against"])
    return f"#e{excerpt.entry.position}"


def _remove(request: HttpRequest, session: Session, key: int) -> str:
    excerpt = _excerpt(request, session, key)
    excerpt.delete()
    return f"#e{excerpt.entry.position}"


def _new(request: HttpRequest, session: Session, key: int) -> str:
    data = request.POST
    find_or_create(_bot(session), data.get("name", ""), user_of(request), data.get("meaning", ""))
    return "#codebook"


def _store(request: HttpRequest, session: Session, key: int) -> str:
    sent, was = (request.POST.get(f"{of}meaning-{key}", "").strip() for of in ("", "was-"))
    try:
        before, now = _change_code(request, session, key)
    except CodingRefused as why:
        if sent.split() == was.split() or sent in str(why):
            raise
        raise CodingRefused(f"{why} The description wasn’t saved either: “{sent}”") from why
    suggestions.rename(_bot(session), before, now)
    return "#codebook"


def _change_code(request: HttpRequest, session: Session, key: int) -> tuple[str, str]:
    data, code = request.POST, codes_of(_bot(session), request.user).get(key)
    if code is None:
        raise CodingRefused("This code has been deleted.")
    name = _text(data, f"name-{key}", code.name)
    meaning = _text(data, f"meaning-{key}", code.description)
    parent = _text(data, f"parent-{key}", code.parent.name if code.parent else "")
    return change_code(_bot(session), request.user, key, name, meaning, parent)


def _delete(request: HttpRequest, session: Session, key: int) -> str:
    if not request.POST.get(f"sure-{key}"):
        raise CodingRefused("Tick “with its excerpts” to delete the code.")
    delete_code(_bot(session), request.user, key)
    return "#codebook"


def _suggest(request: HttpRequest, session: Session, key: int) -> str:
    suggestions.request(session, user_of(request).get_username())
    return "#suggestions"


def _decide(request: HttpRequest, session: Session, key: int, accept: bool) -> str:
    """Decide on the suggestion of a button, or on all that are ticked."""
    ticked = {int(one) for one in request.POST.getlist("suggestion") if one.isdecimal()}
    suggestions.decide(session, {key} if key else ticked, user_of(request), accept=accept)
    return "#suggestions" if not key else f"#e{_number(request.POST, f'at-{key}')}"


ACTIONS: dict[str, Callable[[HttpRequest, Session, int], str]] = {
    "add": _add,
    "memo": _memo,
    "remove": _remove,
    "new": _new,
    "store": _store,
    "delete": _delete,
    "suggest": _suggest,
    "accept": partial(_decide, accept=True),
    "refuse": partial(_decide, accept=False),
}


def _bot(session: Session) -> Any:
    return session.bot  # there is one, or nothing may be changed


def _text(data: QueryDict, name: str, now: str) -> str:
    """Return a text as it was sent, or as it is `now` if only others have changed it meanwhile.

    Raises CodingRefused if both have.
    """
    sent, was = data.get(name, "").strip(), data.get(f"was-{name}", now)
    if now.split() in (was.split(), sent.split()):
        return sent
    if sent.split() == was.split():
        return now
    raise CodingRefused(f"Somebody has changed this meanwhile. Not saved: “{sent}”")


def _number(data: QueryDict, name: str) -> int:
    value = data.get(name, "")
    return int(value) if value.isdecimal() and len(value) < 10 else 0


class CodingExtension(SessionExtension):
    detail_actions = (SessionAction(coding, lambda key: True),)


SessionAdmin.extend(CodingExtension())
