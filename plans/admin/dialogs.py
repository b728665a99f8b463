from collections.abc import Callable
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from unfold.forms import BaseDialogForm
from unfold.widgets import UnfoldAdminTextInputWidget

from plans.admin.base import by_key
from plans.bots.duplicate import bot_copy_title
from plans.bots.teams import visible
from plans.models import Bot, Script
from plans.scripts import script_copy_name


class CopyForm(BaseDialogForm):
    """What a copy of the dialog's row is called; `suggested` makes each field's text of the row."""

    model: ClassVar[Any]
    suggested: ClassVar[dict[str, Callable[[Any], str]]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rows = visible(self.model._default_manager.all(), self.request.user)
        self.row = by_key(rows, self.object_id).first()
        for name, suggest in self.suggested.items():
            self.fields[name].initial = suggest(self.row) if self.row else ""


class CopyScriptForm(CopyForm):
    name = forms.CharField(
        max_length=200, widget=UnfoldAdminTextInputWidget(), help_text="For you and your team."
    )
    model = Script
    suggested = {"name": script_copy_name}

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        language = self.row.language if self.row else ""
        if Script.objects.filter(name=name, language=language).exists():
            raise forms.ValidationError("A script in this language already has that name.")
        return name


class CopyBotForm(CopyForm):
    title = forms.CharField(
        max_length=200, widget=UnfoldAdminTextInputWidget(), help_text="Participants see this."
    )
    model = Bot
    suggested = {"title": bot_copy_title}


def go(request: HttpRequest, to: str, *args: Any) -> HttpResponse:
    """Redirect, also out of a dialog, where htmx would load the page into the dialog."""
    if "HX-Request" in request.headers:
        return HttpResponse(headers={"HX-Redirect": resolve_url(to, *args)})
    return redirect(to, *args)


def dialog(
    title: str, description: str, button: str, form: type[BaseDialogForm] | None = None
) -> Any:
    """Return what an action asks before it is done, for Unfold's `action(dialog=…)`."""
    return {
        "title": title,
        "description": description,
        "form_class": form,
        "form_submit_text": button,
    }


def status_part(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """Render the part of a page that polls a job; reload the page once the job isn't `busy`."""
    response = render(request, template, context)
    if not context["busy"]:
        response["HX-Refresh"] = "true"
    return response
