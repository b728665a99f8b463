"""What is done with selected invitations: confirmed first, then done."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from interviews.admin.invitations_forms import UntilForm, end_of
from interviews.models import Invitation, Mail
from interviews.recruitment.invitations import changes
from interviews.recruitment.invitations.keys import new_paths
from interviews.recruitment.invitations.letters import unsendable, write
from interviews.recruitment.invitations.states import InvitationState, state_of
from plans.bots.qr_codes import code
from plans.bots.quota import with_taken
from plans.models import Bot
from plans.portability.table import write_rows

CONFIRM = "admin/interviews/invitation/confirm.html"
CODES = "admin/interviews/invitation/codes.html"
LIST = "admin:interviews_invitation_changelist"
INTERVIEWS = "interviews.view_session"
DEAD = (InvitationState.EXPIRED, InvitationState.REVOKED)
ACTIONS = {Mail.Kind.INVITATION: "send_letter", Mail.Kind.REMINDER: "send_reminder"}
LETTERS = {Mail.Kind.INVITATION: "invitation", Mail.Kind.REMINDER: "reminder"}
BOM = "\ufeff"  # by which Excel knows the encoding


def links(admin: Any, request: HttpRequest, rows: QuerySet[Invitation]) -> Any:
    alive = [row for row in rows if state_of(row) not in DEAD]
    live = _readable(request, alive)
    left_out = Counter(
        {
            "over, and no link would open them": len(rows) - len(alive),
            "with an interview, which you may not read": len(alive) - len(live),
        }
    )
    wanted = request.POST.get("confirmed")
    if not wanted or not live:
        return ask(
            admin,
            request,
            rows,
            "make_links",
            title=f"New links for {_count(len(live))}",
            says=[
                "Each gets a link of its own, which is shown this once and kept nowhere. Links "
                "that were made before go on working.",
                "Whoever has a link can open the interview, also what was said in it. Pass it to "
                "that person alone.",
            ],
            left_out=left_out,
            buttons=[("codes", "Codes to print"), ("csv", "List as CSV")] if live else [],
        )
    made = list(zip(live, new_paths(live), strict=True))
    admin.log(request, live, "Made a new link.")
    there = request.build_absolute_uri("/")[:-1]
    whole = [(row, there + path) for row, path in made]
    return _codes(admin, request, whole) if wanted == "codes" else _list(admin, request, whole)


def _readable(request: HttpRequest, rows: Sequence[Invitation]) -> Sequence[Invitation]:
    """Return the invitations whose links show the user nothing new."""
    if request.user.has_perm(INTERVIEWS):
        return rows
    return [row for row in rows if not row.sessions.all()]


def _list(admin: Any, request: HttpRequest, made: Sequence[tuple[Invitation, str]]) -> HttpResponse:
    named = ("name", "email") if admin.sees_contacts(request) else ()
    columns = ("reference", *named, "language", "link")
    rows = [
        {**{name: str(getattr(row, name)) for name in columns if name != "link"}, "link": link}
        for row, link in made
    ]
    response = HttpResponse(BOM + write_rows(columns, rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="links.csv"'
    response["Cache-Control"] = "no-store"
    return response


def _codes(
    admin: Any, request: HttpRequest, made: Sequence[tuple[Invitation, str]]
) -> HttpResponse:
    shown = [(row, link, code(link)) for row, link in made]
    context = {"title": "New links", "made": shown, "named": admin.sees_contacts(request)}
    response: HttpResponse = admin.page(request, CODES, None, **context)
    response["Cache-Control"] = "no-store"
    return response


def letters(admin: Any, request: HttpRequest, rows: QuerySet[Invitation], kind: Mail.Kind) -> Any:
    now = timezone.now()
    bots = Prefetch("bot", with_taken(Bot.objects.all()))  # one of each, with its places counted
    asked = rows.select_related(None).prefetch_related(bots)
    why = [(row, unsendable(row, kind, now)) for row in asked]
    fit = [row for row, reason in why if not reason]
    if not request.POST.get("confirmed") or not fit:
        name = LETTERS[kind]
        return ask(
            admin,
            request,
            rows,
            ACTIONS[kind],
            title=f"Send the {name} to {_count(len(fit), 'person', 'people')}",
            says=[
                "Each gets a letter in the language of their invitation, with a link of their own."
            ],
            left_out=Counter(reason for _row, reason in why if reason),
            buttons=[("yes", f"Send {len(fit):,}")] if fit else [],
        )
    sent = [row for row in fit if write(row, kind)]
    admin.log(request, sent, f"Sent the {LETTERS[kind]}.")
    _say(request, f"{_count(len(sent), 'letter', 'letters')} on the way.")
    if unsent := len(fit) - len(sent):
        messages.warning(request, f"{_count(unsent, 'person', 'people')} can’t be written to now.")
    return _back(request)


def revoke(admin: Any, request: HttpRequest, rows: QuerySet[Invitation]) -> Any:
    live = [row for row in rows if row.revoked_at is None]
    if not request.POST.get("confirmed") or not live:
        return ask(
            admin,
            request,
            rows,
            "revoke",
            title=f"Revoke {_count(len(live))}",
            says=[
                "All their links stop working, and interviews under way take no more answers. "
                "What was said is kept. It can’t be undone; you can invite the person anew."
            ],
            left_out=Counter({"revoked already": len(rows) - len(live)}),
            buttons=[("yes", f"Revoke {len(live):,}")] if live else [],
            danger=True,
        )
    count = changes.revoke(Invitation.objects.filter(pk__in=_keys(live)))
    admin.log(request, live, "Revoked.")
    _say(request, f"{_count(count)} revoked.")
    return _back(request)


def extend(admin: Any, request: HttpRequest, rows: QuerySet[Invitation]) -> Any:
    live = [row for row in rows.select_related("bot") if row.revoked_at is None]
    bots = {row.bot for row in live}
    form = UntilForm(request.POST if request.POST.get("confirmed") else None, bots=bots)
    if not form.is_valid() or not live:
        return ask(
            admin,
            request,
            rows,
            "extend",
            title=f"Extend {_count(len(live))}",
            says=["Their links work until the end of that day, also those that have expired."],
            left_out=Counter({"revoked, which stays so": len(rows) - len(live)}),
            buttons=[("yes", "Extend")] if live else [],
            form=form,
        )
    for bot in bots:
        mine = Invitation.objects.filter(pk__in=_keys(r for r in live if r.bot_id == bot.pk))
        changes.extend(mine, end_of(form.cleaned_data["until"], bot))
    admin.log(request, live, "Extended.")
    _say(request, f"{_count(len(live))} extended.")
    return _back(request)


def ask(
    admin: Any,
    request: HttpRequest,
    rows: QuerySet[Invitation],
    action: str,
    *,
    title: str,
    says: Sequence[str],
    left_out: Counter[str],
    buttons: Sequence[tuple[str, str]],
    **more: Any,
) -> HttpResponse:
    """Return the confirmation page. Its form posts to the same action."""
    context = {
        "title": title,
        "says": says,
        "left_out": [(why, count) for why, count in left_out.most_common() if count],
        "buttons": buttons,
        "box": ACTION_CHECKBOX_NAME,
        "chosen": _chosen(request, rows),
        "every": request.POST.get("select_across") == "1",
        "action": action,
        "url": _list_url(request),
        **more,
    }
    page: HttpResponse = admin.page(request, CONFIRM, None, **context)
    return page


def _chosen(request: HttpRequest, rows: QuerySet[Invitation]) -> list[Any]:
    keys = rows.values_list("pk", flat=True)
    return list(keys[:1] if request.POST.get("select_across") == "1" else keys)


def _list_url(request: HttpRequest) -> str:
    query = request.GET.urlencode() if "action" in request.POST else ""
    return f"{reverse(LIST)}?{query}" if query else reverse(LIST)


def _back(request: HttpRequest) -> HttpResponse:
    return redirect(_list_url(request))


def _say(request: HttpRequest, done: str) -> None:
    messages.success(request, done)


def _keys(rows: Any) -> list[Any]:
    return [row.pk for row in rows]


def _count(count: int, one: str = "invitation", many: str = "invitations") -> str:
    return f"{count:,} {one if count == 1 else many}"
