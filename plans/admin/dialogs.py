from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from unfold.forms import BaseDialogForm
from unfold.widgets import UnfoldAdminTextInputWidget

from plans.admin.base import by_key
from plans.bots.duplicate import bot_copy_title
from plans.bots.teams import visible
from plans.models import Bot, Script
from plans.scripts.duplicate import script_copy_name


class CopyScriptForm(BaseDialogForm):
    name = forms.CharField(
        max_length=200, widget=UnfoldAdminTextInputWidget(), help_text="For you and your team."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.script = by_key(
            visible(Script.objects.all(), self.request.user), self.object_id
        ).first()
        self.fields["name"].initial = script_copy_name(self.script) if self.script else ""

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        language = self.script.language if self.script else ""
        if Script.objects.filter(name=name, language=language).exists():
            raise forms.ValidationError("A script in this language already has that name.")
        return name


class CopyBotForm(BaseDialogForm):
    title = forms.CharField(
        max_length=200, widget=UnfoldAdminTextInputWidget(), help_text="Participants see this."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        bot = by_key(visible(Bot.objects.all(), self.request.user), self.object_id).first()
        self.fields["title"].initial = bot_copy_title(bot) if bot else ""


def go(request: HttpRequest, url: str) -> HttpResponse:
    """Redirect, also out of a dialog, where htmx would load the page into the dialog."""
    if "HX-Request" in request.headers:
        return HttpResponse(headers={"HX-Redirect": url})
    return redirect(url)


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
