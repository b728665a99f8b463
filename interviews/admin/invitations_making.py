"""The page on which many people are invited at once."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from interviews.admin.invitations_forms import InviteForm, end_of
from interviews.invitations.making import invite
from interviews.invitations.reading import Person, Read, decoded, known_of, read_people
from interviews.invitations.states import State
from plans.portability.problems import BrokenDocument, Problem

if TYPE_CHECKING:
    from interviews.admin.invitations import InvitationAdmin

TEMPLATE = "admin/interviews/invitation/invite.html"
MOST_SHOWN = 200  # problems
MEANWHILE = "somebody else has just invited one of them. Look again, please"


def invite_page(admin: "InvitationAdmin", request: HttpRequest) -> HttpResponse:
    """GET shows the form; POST invites all, or the good ones if that was asked for."""
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
        return _page(admin, request, _given_back(form), Read(problems=[Problem(MEANWHILE)]))


def _read(told: dict[str, Any]) -> Read:
    if told["people"]:
        return Read(told["people"])
    return read_people(told["content"], known_of(told["bot"], timezone.now()))


def _given_back(form: InviteForm) -> InviteForm:
    """With what was in the file as text: browsers don't send a file twice."""
    data = {name: form.data.get(name) for name in form.fields}
    try:
        data["text"] = decoded(form.cleaned_data["content"])
    except BrokenDocument:
        data["text"] = ""
    return InviteForm(initial=data)


def _made(
    admin: "InvitationAdmin", request: HttpRequest, told: dict[str, Any], people: list[Person]
) -> HttpResponse:
    bot = told["bot"]
    expires = end_of(told["until"], bot)
    made = invite(bot, people, expires=expires, language=told["language"], remind=told["remind"])
    admin.log(request, made, "Invited.")
    count = f"{len(made):,} invitation{'' if len(made) == 1 else 's'}"
    messages.success(
        request, f"{count} made. Choose them below to send the letter, or to make links or codes."
    )
    shown = urlencode({"bot__id__exact": bot.pk, "state": State.NOT_SENT})
    return redirect(f"{reverse('admin:interviews_invitation_changelist')}?{shown}")


def _page(
    admin: "InvitationAdmin", request: HttpRequest, form: InviteForm, read: Read | None = None
) -> HttpResponse:
    problems = read.problems if read else []
    context = {
        "title": "Invite people",
        "form": form,
        "problems": problems[:MOST_SHOWN],
        "wrong": len(problems),
        "usable": len(read.people) if read else 0,
    }
    response = admin.page(request, TEMPLATE, None, **context)
    response.status_code = 400 if problems or form.errors else 200
    return response
