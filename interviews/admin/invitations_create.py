from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from interviews.admin.invitations_forms import InviteForm, end_of
from interviews.recruitment.invitations.create import invite
from interviews.recruitment.invitations.people_file import (
    Invitee,
    InviteeFile,
    decoded,
    known_of,
    read_people,
)
from interviews.recruitment.invitations.states import InvitationState
from plans.portability.problems import BrokenDocument, Problem

TEMPLATE = "admin/interviews/invitation/invite.html"
MOST_SHOWN = 200  # problems
MEANWHILE = "somebody else has just invited one of them. Look again, please"


def invite_page(admin: Any, request: HttpRequest) -> HttpResponse:
    """GET shows the form; POST invites everybody, or only the valid rows if asked to."""
    if not admin.has_add_permission(request):
        raise PermissionDenied
    if request.method != "POST":
        return _page(admin, request, InviteForm(initial={"bot": request.GET.get("bot")}))
    form = InviteForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(admin, request, form)
    read = _read(form.cleaned_data)
    if (read.problems and "anyway" not in request.POST) or not read.people:
        return _page(admin, request, _given_back(form), read)
    try:
        return _made(admin, request, form.cleaned_data, read.people)
    except IntegrityError:
        return _page(admin, request, _given_back(form), InviteeFile(problems=[Problem(MEANWHILE)]))


def _read(told: dict[str, Any]) -> InviteeFile:
    if told["people"]:
        return InviteeFile(told["people"])
    return read_people(told["content"], known_of(told["bot"], timezone.now()))


def _given_back(form: InviteForm) -> InviteForm:
    """Put the file's content into the text field: browsers don't send a file twice."""
    data = {name: form.data.get(name) for name in form.fields}
    try:
        data["text"] = decoded(form.cleaned_data["content"])
    except BrokenDocument:
        data["text"] = ""
    return InviteForm(initial=data)


def _made(
    admin: Any, request: HttpRequest, told: dict[str, Any], people: list[Invitee]
) -> HttpResponse:
    bot = told["bot"]
    expires = end_of(told["until"], bot)
    made = invite(bot, people, expires=expires, language=told["language"], remind=told["remind"])
    admin.log(request, made, "Invited.")
    count = f"{len(made):,} invitation{'' if len(made) == 1 else 's'}"
    messages.success(
        request, f"{count} made. Choose them below to send the letter, or to make links or codes."
    )
    shown = urlencode({"bot__id__exact": bot.pk, "state": InvitationState.NOT_SENT})
    return redirect(f"{reverse('admin:interviews_invitation_changelist')}?{shown}")


def _page(
    admin: Any,
    request: HttpRequest,
    form: InviteForm,
    read: InviteeFile | None = None,
) -> HttpResponse:
    problems = read.problems if read else []
    context = {
        "title": "Invite people",
        "form": form,
        "problems": problems[:MOST_SHOWN],
        "wrong": len(problems),
        "usable": len(read.people) if read else 0,
    }
    response: HttpResponse = admin.page(request, TEMPLATE, None, **context)
    response.status_code = 400 if problems or form.errors else 200
    return response
