"""How people are invited, and what is done with selected invitations: confirmed first."""

from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import IntegrityError
from django.db.models import Prefetch, QuerySet, prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from interviews.admin.base import sees_contacts
from interviews.admin.invitations_forms import InviteForm, UntilForm, end_of
from interviews.models import Invitation, Mail
from interviews.recruitment.invitations import changes
from interviews.recruitment.invitations.letters import new_letter_blocked_reason, request_letter
from interviews.recruitment.invitations.people_file import (
    Invitee,
    InviteeFile,
    decode,
    known_invitees,
    read_people,
)
from interviews.recruitment.invitations.redeem import new_paths
from interviews.recruitment.invitations.states import InvitationState, state_of
from plans.admin.exports import download
from plans.bots.qr_codes import qr_svg
from plans.bots.quota import with_taken
from plans.models import Bot
from plans.portability.problems import BrokenDocument, Problem
from plans.portability.table import write_rows

CONFIRM = "admin/interviews/invitation/confirm.html"
CODES = "admin/interviews/invitation/codes.html"
LIST = "admin:interviews_invitation_changelist"
VIEW_SESSIONS = "interviews.view_session"
CLOSED = (InvitationState.EXPIRED, InvitationState.REVOKED)
ACTIONS = {Mail.Kind.INVITATION: "send_letter", Mail.Kind.REMINDER: "send_reminder"}
LETTERS = {Mail.Kind.INVITATION: "invitation", Mail.Kind.REMINDER: "reminder"}
UNSENT = {
    Mail.Kind.INVITATION: "can’t be e-mailed now",
    Mail.Kind.REMINDER: "got a reminder within the last hour or can’t be e-mailed now",
}
INVITE = "admin/interviews/invitation/invite.html"
MOST_PROBLEMS = 200
EXPORTED, REVIEWED = "exported", "reviewed"  # fields of the form: columns of the list
MEANWHILE = "somebody else has just invited one of them. Check the list again"
BOM = "\ufeff"  # by which Excel knows the encoding


def links(admin: Any, request: HttpRequest, rows: QuerySet[Invitation]) -> Any:
    open_rows = [row for row in rows if not row.revoked_at and state_of(row) not in CLOSED]
    live = _readable(request, open_rows)
    left_out = Counter(
        {
            "closed, so no link would open them": len(rows) - len(open_rows),
            "with an interview you may not read": len(open_rows) - len(live),
        }
    )
    confirmed = request.POST.get("confirmed")
    if not confirmed or not live:
        return confirmation_page(
            admin,
            request,
            rows,
            "make_links",
            title=f"New links for {_count(len(live))}",
            says=[
                "Each gets a new link, which is shown only once and not stored. Earlier links "
                "keep working.",
                "Anyone with a link can open the interview, including what was said in it. Pass "
                "it to that person only.",
            ],
            left_out=left_out,
            buttons=[("codes", "Print codes"), ("csv", "Download CSV")] if live else [],
        )
    site = request.build_absolute_uri("/")[:-1]
    made = [(row, site + path) for row, path in zip(live, new_paths(live), strict=True)]
    admin.log(request, live, "Created a new link.")
    return (_codes_page if confirmed == "codes" else _csv)(admin, request, made)


def _readable(request: HttpRequest, rows: Sequence[Invitation]) -> Sequence[Invitation]:
    """Return the invitations whose links show the user nothing new."""
    if request.user.has_perm(VIEW_SESSIONS):
        return rows
    return [row for row in rows if not row.sessions.all()]


def _csv(admin: Any, request: HttpRequest, made: Sequence[tuple[Invitation, str]]) -> HttpResponse:
    fields = admin.visible(request, ["reference", "name", "email", "language"])
    rows = [
        {name: str(getattr(row, name)) for name in fields} | {"link": link} for row, link in made
    ]
    content = BOM + write_rows((*fields, "link"), rows)
    response = download("links.csv", "text/csv; charset=utf-8", content)
    response["Cache-Control"] = "no-store"
    return response


def _codes_page(
    admin: Any, request: HttpRequest, made: Sequence[tuple[Invitation, str]]
) -> HttpResponse:
    bots = {row.bot_id: row.bot for row, _link in made}
    prefetch_related_objects(list(bots.values()), "texts")
    codes = [
        (row, bot.title_in(row.language), bot.host_in(row.language), link, qr_svg(link))
        for row, link in made
        for bot in [bots[row.bot_id]]
    ]
    context = {"title": "New links", "made": codes, "named": sees_contacts(request)}
    response: HttpResponse = admin.page(request, CODES, None, **context)
    response["Cache-Control"] = "no-store"
    return response


def letters(admin: Any, request: HttpRequest, rows: QuerySet[Invitation], kind: Mail.Kind) -> Any:
    now = timezone.now()
    bots = Prefetch("bot", with_taken(Bot.objects.all()))  # one of each, with its places counted
    found = rows.select_related(None).prefetch_related(bots)
    reasons = [(row, new_letter_blocked_reason(row, kind, now)) for row in found]
    sendable = [row for row, reason in reasons if not reason]
    if not request.POST.get("confirmed") or not sendable:
        name = LETTERS[kind]
        return confirmation_page(
            admin,
            request,
            rows,
            ACTIONS[kind],
            title=f"Send the {name} to {_count(len(sendable), 'person', 'people')}",
            says=[
                "Each person gets an e-mail in the language of their invitation, with their own "
                "link."
            ],
            left_out=Counter(reason for _row, reason in reasons if reason),
            buttons=[("yes", f"Send {len(sendable):,}")] if sendable else [],
        )
    sent = [row for row in sendable if request_letter(row, kind)]
    admin.log(request, sent, f"Sent the {LETTERS[kind]}.")
    messages.success(request, f"{_count(len(sent), 'e-mail', 'e-mails')} being sent.")
    if unsent := len(sendable) - len(sent):
        messages.warning(request, f"{_count(unsent, 'person', 'people')} {UNSENT[kind]}.")
    return _back(request)


def revoke(admin: Any, request: HttpRequest, rows: QuerySet[Invitation]) -> Any:
    live = [row for row in rows if row.revoked_at is None]
    if not request.POST.get("confirmed") or not live:
        return confirmation_page(
            admin,
            request,
            rows,
            "revoke",
            title=f"Revoke {_count(len(live))}",
            says=[
                "All their links stop working, and interviews under way take no more answers. "
                "What was said is kept. You can’t undo this, but you can invite the person again."
            ],
            left_out=Counter({"already revoked": len(rows) - len(live)}),
            buttons=[("yes", f"Revoke {len(live):,}")] if live else [],
            danger=True,
        )
    count = changes.revoke(Invitation.objects.filter(pk__in=[row.pk for row in live]))
    admin.log(request, live, "Revoked.")
    messages.success(request, f"{_count(count)} revoked.")
    return _back(request)


def extend(admin: Any, request: HttpRequest, rows: QuerySet[Invitation]) -> Any:
    live = [row for row in rows.select_related("bot") if row.revoked_at is None]
    bots = {row.bot for row in live}
    form = UntilForm(request.POST if request.POST.get("confirmed") else None, bots=bots)
    if not form.is_valid() or not live:
        return confirmation_page(
            admin,
            request,
            rows,
            "extend",
            title=f"Extend {_count(len(live))}",
            says=["Their links work until the end of that day, including expired ones."],
            left_out=Counter({"already revoked": len(rows) - len(live)}),
            buttons=[("yes", "Extend")] if live else [],
            form=form,
        )
    for bot in bots:
        keys = [row.pk for row in live if row.bot_id == bot.pk]
        until = end_of(form.cleaned_data["until"], bot)
        changes.extend(Invitation.objects.filter(pk__in=keys), until)
    admin.log(request, live, "Extended.")
    messages.success(request, f"{_count(len(live))} extended.")
    return _back(request)


def confirmation_page(
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
        "chosen": _selected_keys(request, rows),
        "every": request.POST.get("select_across") == "1",
        "action": action,
        "url": _list_url(request),
        **more,
    }
    page: HttpResponse = admin.page(request, CONFIRM, None, **context)
    return page


def _selected_keys(request: HttpRequest, rows: QuerySet[Invitation]) -> list[Any]:
    """Return the keys, or only one where all rows of the list were selected."""
    keys = rows.values_list("pk", flat=True)
    return list(keys[:1] if request.POST.get("select_across") == "1" else keys)


def _list_url(request: HttpRequest) -> str:
    query = request.GET.urlencode() if "action" in request.POST else ""
    return f"{reverse(LIST)}?{query}" if query else reverse(LIST)


def _back(request: HttpRequest) -> HttpResponse:
    return redirect(_list_url(request))


def _count(count: int, one: str = "invitation", many: str = "invitations") -> str:
    return f"{count:,} {one if count == 1 else many}"


# -- new ones


def invite_page(admin: Any, request: HttpRequest) -> HttpResponse:
    """GET shows the form; POST invites everybody, or only the valid rows if asked to."""
    if request.method != "POST":
        initial = {"bot": request.GET.get("bot")}
        return _invite_form(admin, request, InviteForm(request.user, initial=initial))
    form = InviteForm(request.user, request.POST, request.FILES)
    if not form.is_valid():
        return _invite_form(admin, request, form)
    read = _people_in(form.cleaned_data)
    wrong = read.problems and "anyway" not in request.POST
    if wrong or not read.people or not _has_reviewed(request, read):
        return _invite_form(admin, request, _with_file_as_text(form), read)
    people = read.with_columns(request.POST.getlist(EXPORTED))
    try:
        return _invite_all(admin, request, form.cleaned_data, people)
    except IntegrityError:
        return _invite_form(
            admin, request, _with_file_as_text(form), InviteeFile(problems=[Problem(MEANWHILE)])
        )


def _people_in(data: dict[str, Any]) -> InviteeFile:
    if data["people"]:
        return InviteeFile(data["people"])
    return read_people(data["content"], known_invitees(data["bot"], timezone.now()))


def _has_reviewed(request: HttpRequest, read: InviteeFile) -> bool:
    """Return whether the user was shown all columns that become parameters, as they are now."""
    return {column.seen for column in read.columns} <= set(request.POST.getlist(REVIEWED))


def _with_file_as_text(form: InviteForm) -> InviteForm:
    """Put the file's content into the text field: browsers don't send a file twice."""
    initial = {name: form.data.get(name) for name in form.fields}
    try:
        initial["text"] = decode(form.cleaned_data["content"])
    except BrokenDocument:
        initial["text"] = ""
    return InviteForm(form.user, initial=initial)


def _invite_all(
    admin: Any, request: HttpRequest, data: dict[str, Any], people: list[Invitee]
) -> HttpResponse:
    bot, expires = data["bot"], end_of(data["until"], data["bot"])
    made = changes.invite(
        bot, people, expires=expires, language=data["language"], remind=data["remind"]
    )
    admin.log(request, made, "Invited.")
    says = "created. Select them below to send e-mails, or to make links or codes."
    messages.success(request, f"{_count(len(made))} {says}")
    query = urlencode({"bot__id__exact": bot.pk, "state": InvitationState.NOT_SENT})
    return redirect(f"{reverse(LIST)}?{query}")


def _invite_form(
    admin: Any, request: HttpRequest, form: InviteForm, read: InviteeFile | None = None
) -> HttpResponse:
    read = read or InviteeFile()
    problems, reviewed = read.problems, _has_reviewed(request, read)
    ticked = set(request.POST.getlist(EXPORTED))
    columns = [
        (column, column.name in ticked if reviewed else not column.looks_like)
        for column in read.columns
    ]
    context = {
        "title": "Invite people",
        "columns": columns,
        "exported": EXPORTED,
        "reviewed": REVIEWED,
        "form": form,
        "problems": problems[:MOST_PROBLEMS],
        "more_problems": len(problems) > MOST_PROBLEMS,
        "wrong_lines": len({problem.line for problem in problems}),
        "usable": len(read.people),
    }
    response: HttpResponse = admin.page(request, INVITE, None, **context)
    response.status_code = 400 if problems or form.errors else 200
    return response
