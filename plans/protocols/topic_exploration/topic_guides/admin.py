from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from unfold.decorators import action

from llm.routing.routes import NO_MODEL
from plans.admin.base import StudyAdmin, require
from plans.admin.dialogs import dialog, go, status_part
from plans.forms.fields import ShortLines
from plans.jobs import MOST_ATTEMPTS, Job
from plans.models import Bot, Intelligence, Topic
from plans.protocols.topic_exploration.content import (
    TopicIntelligence,
    current_signature,
    options_of,
)
from plans.protocols.topic_exploration.topic_guides.job import (
    current_guides,
    request_guides,
    request_new_guides,
    write_guides,
)
from plans.protocols.topic_exploration.topic_guides.task import LISTS, LONGEST_ITEM, MOST_ITEMS


class IntelligenceForm(forms.Form):
    """The lists of all topics."""

    def __init__(
        self, topics: Sequence[Topic], stored: Mapping[str, Any], data: Any = None
    ) -> None:
        super().__init__(data)
        self.topics = topics
        for topic in topics:
            for name, info in TopicIntelligence.model_fields.items():
                self.fields[_field_name(topic, name)] = ShortLines(
                    most=MOST_ITEMS,
                    longest=LONGEST_ITEM,
                    label=info.title,
                    required=False,
                    initial=stored.get(topic.key, {}).get(name, []),
                    help_text=info.description,
                )

    def groups(self) -> Iterator[tuple[Topic, list[forms.BoundField]]]:
        for topic in self.topics:
            yield topic, [self[_field_name(topic, name)] for name in LISTS]

    def content(self) -> dict[str, dict[str, list[str]]]:
        return {
            topic.key: {name: self.cleaned_data[_field_name(topic, name)] for name in LISTS}
            for topic in self.topics
        }


def _field_name(topic: Topic, name: str) -> str:
    return f"{topic.key}__{name}"


AGAIN = dialog(
    "Regenerate it?",
    "A model prepares all topics again. The current guides, including your edits, "
    "are used until the new ones are ready, and then replaced.",
    "Regenerate",
)
STATUS = "admin/plans/intelligence/status.html"
PAGE = "admin/plans/intelligence/page.html"


@action(description="Topic guides", icon="neurology", permissions=["view"])
def intelligence(admin: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    bot = admin.having(request, object_id, "topics")
    if request.GET.get("part") == "status":
        return _status(request, bot)
    return _page(admin, request, bot)


@action(description="Regenerate topic guides", icon="refresh", permissions=["change"], dialog=AGAIN)
def make_again(admin: Any, request: HttpRequest, form: Any, object_id: str) -> HttpResponse:
    bot = admin.having(request, object_id, "topics")
    with transaction.atomic():
        row = request_guides(bot)
        if row and row.status in (Job.Status.READY, Job.Status.FAILED, Job.Status.PENDING):
            request_new_guides(row)
    return go(request, "admin:plans_bot_intelligence", bot.pk)


def _page(admin: StudyAdmin, request: HttpRequest, bot: Bot) -> HttpResponse:
    row = current_guides(bot)
    topics = list(bot.topics.prefetch_related("sub_goals"))
    form = IntelligenceForm(topics, row.content if row else {}, request.POST or None)
    may_change = admin.has_change_permission(request, bot)
    if request.method == "POST":
        require(request, "plans.change_bot")
        if form.is_valid():
            return _save(request, bot, form)
    earlier = bot.intelligence.exclude(signature=current_signature(bot)).exclude(content={})
    context = _context(bot, row) | {
        "title": f"Topic guides of “{bot}”",
        "form": form,
        "topics": topics,
        "may_change": may_change,
        "written": may_change and not (row and row.status == Job.Status.RUNNING),
        "earlier": list(earlier),
    }
    return admin.page(request, PAGE, bot, **context)


@transaction.atomic
def _save(request: HttpRequest, bot: Bot, form: IntelligenceForm) -> HttpResponse:
    row = request_guides(bot)
    if row:
        write_guides(row, form.content())
        messages.success(request, "Saved. Interviews that start from now on use it.")
    return redirect("admin:plans_bot_intelligence", bot.pk)


def _status(request: HttpRequest, bot: Bot) -> HttpResponse:
    context = _context(bot, current_guides(bot)) | {"original": bot}
    if "written" not in request.GET:
        return status_part(request, STATUS, context)
    return render(request, STATUS, context | {"written": True, "behind": not context["busy"]})


def _context(bot: Bot, row: Intelligence | None) -> dict[str, Any]:
    return {
        "intelligence": row,
        "busy": row is not None and is_busy(row),
        "no_model": row is not None and row.reason == NO_MODEL,
        "most_attempts": MOST_ATTEMPTS,
        "guided": bool(options_of(bot).manual_guide),
        "count": bot.topics.count(),
    }


def is_busy(row: Intelligence) -> bool:
    waiting = row.status == Job.Status.PENDING and row.reason != NO_MODEL
    return waiting or row.status == Job.Status.RUNNING
