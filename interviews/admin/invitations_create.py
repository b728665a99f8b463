from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.utils import timezone

from interviews.admin.invitations_forms import InviteForm, end_of
from interviews.recruitment.invitations.changes import invite
from interviews.recruitment.invitations.people_file import (
    Invitee,
    InviteeFile,
    decode,
    known_invitees,
    read_people,
)
from interviews.recruitment.invitations.states import InvitationState
from plans.portability.problems import BrokenDocument, Problem

TEMPLATE = "admin/interviews/invitation/invite.html"
MOST_PROBLEMS = 200
MEANWHILE = "somebody else has just invited one of them. Check the list again"


def invite_page(admin: Any, request: HttpRequest) -> HttpResponse:
    """GET shows the form; POST invites everybody, or only the valid rows if asked to."""
    if request.method != "POST":
        initial = {"bot": request.GET.get("bot")}
        return _page(admin, request, InviteForm(request.user, initial=initial))
    form = InviteForm(request.user, request.POST, request.FILES)
    if not form.is_valid():
        return _page(admin, request, form)
    read = _read(form.cleaned_data)
    if (read.problems and "anyway" not in request.POST) or not read.people:
        return _page(admin, request, _with_file_as_text(form), read)
    try:
        return _invite_all(admin, request, form.cleaned_data, read.people)
    except IntegrityError:
        return _page(
            admin, request, _with_file_as_text(form), InviteeFile(problems=[Problem(MEANWHILE)])
        )


def _read(data: dict[str, Any]) -> InviteeFile:
    if data["people"]:
        return InviteeFile(data["people"])
    return read_people(data["content"], known_invitees(data["bot"], timezone.now()))


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
    made = invite(bot, people, expires=expires, language=data["language"], remind=data["remind"])
    admin.log(request, made, "Invited.")
    count = f"{len(made):,} invitation{pluralize(len(made))}"
    messages.success(
        request, f"{count} created. Select them below to send e-mails, or to make links or codes."
    )
    query = urlencode({"bot__id__exact": bot.pk, "state": InvitationState.NOT_SENT})
    return redirect(f"{reverse('admin:interviews_invitation_changelist')}?{query}")


def _page(
    admin: Any, request: HttpRequest, form: InviteForm, read: InviteeFile | None = None
) -> HttpResponse:
    problems = read.problems if read else []
    context = {
        "title": "Invite people",
        "form": form,
        "problems": problems[:MOST_PROBLEMS],
        "more_problems": len(problems) > MOST_PROBLEMS,
        "wrong_lines": len({problem.line for problem in problems}),
        "usable": len(read.people) if read else 0,
    }
    response: HttpResponse = admin.page(request, TEMPLATE, None, **context)
    response.status_code = 400 if problems or form.errors else 200
    return response
