"""The admin of bots. What only one protocol has is in `bot_pages`."""

from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils import timezone
from django.utils.html import format_html
from unfold.decorators import action, display

from llm.costs.budgets import daily_budgets
from llm.languages import language_name
from plans.admin import imports, pages
from plans.admin.base import NEW_TAB, OVERVIEW, require
from plans.admin.bot_page import names
from plans.admin.bot_pages import BUTTONS, MENU, OWN_ACTIONS, PAGES, chosen_kind, page_of
from plans.admin.dialogs import CopyBotForm, dialog, go
from plans.admin.files import FileActions
from plans.admin.links import LinkActions
from plans.admin.reward_codes import RewardCodeActions
from plans.bots.budgets import budget_of, is_day_budget_spent
from plans.bots.checklist import check_opening, checklist, gaps, set_status
from plans.bots.compile import NotReady, compile_bot
from plans.bots.duplicate import duplicate_bot
from plans.bots.history import bot_history
from plans.bots.previews import preview_path
from plans.bots.quota import describe_availability, quota, with_taken
from plans.bots.teams import visible
from plans.forms.bot import (
    GO_LIVE,
    PLACES,
    OneBotForm,
    bot_form,
    bot_tabs,
    link_places,
    new_bot_form,
    text_languages,
    typed_languages,
)
from plans.forms.options import field_name
from plans.models import Bot, Experiment
from plans.protocols import PROTOCOLS, protocol_of

WITHOUT_A_MODEL = "Live, budget spent"
BADGES = {"Draft": "info", "Live": "success", WITHOUT_A_MODEL: "warning"}  # closed ones are grey
AFTER_WORK = ("reflections.view_reflection", "reflections.review_reflection")
UNTIL_THEN = (
    "Interviews of “{}”: they are deleted after the time you set only while the bot exists. "
    "Delete them first, or close the bot."
)
IN_EXPERIMENT = (
    "“{}” is an arm of an experiment. Delete the experiment first, or close the bot instead."
)
TRY_OUT = ("reflections.view_evaluation", "reflections.add_evaluation")
COPY = dialog(
    "Duplicate this bot",
    "Creates a draft with the same settings, texts, topics, backlog and documents. "
    "It uses the same scripts, concept and methodology. Reward codes are not copied, and the home "
    "page won’t list it until you say so.",
    "Duplicate",
    CopyBotForm,
)
CLOSE = dialog(
    "Close this bot?",
    "Nobody new can start. Interviews under way can be finished.",
    "Close the bot",
)
DRAFT = dialog(
    "Return to draft?",
    "It stays closed to participants until you go live again.",
    "Return to draft",
)
HIDDEN_STEPS = {  # actions that change the status, by the status in which they are hidden
    Bot.Status.DRAFT: {"set_closed", "set_draft"},
    Bot.Status.LIVE: {"set_draft"},
    Bot.Status.CLOSED: {"set_closed"},
}
NEW_FIELDS = ("protocol", "recruitment", "title", "slug", "host", "contact", "minutes")
READ_ONLY_FIELDS = (
    *("title", "slug", "kind", "host", "contact", "demo", "public", "is_default"),
    *("minutes", "persona", "shows_consent"),
    *("opens_at", "closes_at", "hours_from", "hours_to", "time_zone"),
    *("recruitment", "quota", "cells_only", "invited_only", "invitation_reuse"),
    *("dictation", "read_aloud", "keeps_paradata", "asks_rating", "alert_to"),
    *("keep_days", "keep_contact_days", "keep_calls_days"),
    *("session_budget", "day_budget", "expert_reflections", "calibrates_replicas"),
)


@admin.register(Bot)
class BotAdmin(RewardCodeActions, LinkActions, FileActions):
    list_display = [
        *("title", "badge", "kind", "interviews", "address"),
        *("languages", "listed", "saved"),
    ]
    list_filter = ["status", "public", "protocol"]
    search_fields = ["title", "slug", "host"]
    search_help_text = "Title, address, who runs it"
    autocomplete_fields = ["scripts"]
    radio_fields = {"status": admin.VERTICAL}
    actions = ["export_selected_yaml", "export_selected_json"]
    actions_row = ["preview", "versions", "duplicate"]
    actions_detail = [
        *("try_it", "preview", "links", *names(BUTTONS), "reward_codes"),
        {
            "title": "More",
            "icon": "more_horiz",
            "items": [
                *("public_page", "try_out", "after_work", "versions", "duplicate"),
                *("export_yaml", "export_json", "import_into"),
                *names(MENU),
            ],
        },
        *("set_draft", "set_closed"),
    ]
    actions_submit_line = ["go_live"]
    change_form_outer_before_template = "admin/plans/bot/checklist.html"
    change_form_before_template = "admin/plans/seen.html"
    places = PLACES
    saves_of = staticmethod(bot_history)
    restores = False
    how_to_begin = (
        "A bot is an interviewer with a public page. It asks what you want to know, in your "
        "words, when you choose. To add one, first choose how it leads the interview."
    )

    class Media:
        css = {"all": ["interviews/overview.css"]}
        js = ["plans/rows.js"]

    def has_documents_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Unfold looks for a permission with a dot in the database, which a first start lacks.
        return bool(request.user.has_perm("plans.view_document"))

    def having(self, request: HttpRequest, object_id: str, part: str) -> Bot:
        """Return the bot. Raises Http404 unless its kind has that part."""
        bot: Bot = self.row(request, object_id)
        if part not in protocol_of(bot).parts:
            raise Http404
        return bot

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[Any, Any], set[str], list[Any]]:
        """Count what is deleted with a bot, for which its right is enough, and list bots alone.

        Not everybody who deletes bots may see the codes and the people that would be listed.
        """
        _listed, counts, _rights, _arms = super().get_deleted_objects(objs, request)
        promised = Q(keep_days__gt=0) | Q(keep_contact_days__gt=0) | Q(keep_calls_days__gt=0)
        bots = Bot.objects.filter(pk__in=[bot.pk for bot in objs])
        kept = bots.filter(promised, sessions__isnull=False).distinct()
        reasons = {IN_EXPERIMENT: bots.filter(arms__isnull=False).distinct(), UNTIL_THEN: kept}
        protected = [reason.format(bot) for reason, found in reasons.items() for bot in found]
        return [str(bot) for bot in objs], counts, set(), protected

    def get_queryset(self, request: HttpRequest) -> QuerySet[Bot]:
        queryset: QuerySet[Bot] = super().get_queryset(request)
        return with_taken(queryset).prefetch_related("scripts", "texts")

    def get_urls(self) -> list[Any]:
        own = [
            path(
                f"<int:object_id>/{name}/",
                self.admin_site.admin_view(partial(view, self)),
                name=f"plans_bot_{name}",
            )
            for page in PAGES.values()
            for name, view in page.urls.items()
        ]
        return [*own, *super().get_urls()]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        if not chosen_kind(request):
            require(request, "plans.add_bot")
            context = {"title": "How should it lead the interview?", "kinds": PROTOCOLS}
            return self.page(request, "admin/plans/bot/kinds.html", None, **context)
        response: HttpResponse = super().add_view(request, form_url, extra_context)
        return response

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        return {"protocol": chosen_kind(request), **super().get_changeform_initial_data(request)}

    def get_form(
        self, request: HttpRequest, obj: Bot | None = None, change: bool = False, **kwargs: Any
    ) -> type[OneBotForm]:
        if obj:
            kwargs["form"] = bot_form(obj, typed_languages(request.POST))
        else:
            kind = chosen_kind(request)
            kwargs["form"] = new_bot_form(kind, PAGES[kind].options)
        form: type[OneBotForm] = super().get_form(request, obj, change, **kwargs)
        return form

    def get_fieldsets(self, request: HttpRequest, obj: Bot | None = None) -> Any:
        if obj is None:
            page = PAGES[chosen_kind(request)]
            options = map(field_name, page.options)
            return [(None, {"fields": [*NEW_FIELDS, *page.begins_with, *options]})]
        page = page_of(obj)
        if not self.has_change_permission(request, obj):
            return [(None, {"fields": [*READ_ONLY_FIELDS, *page.begins_with, "outline"]})]
        return bot_tabs(obj, page.tabs(obj), typed_languages(request.POST))

    def get_inlines(self, request: HttpRequest, obj: Bot | None) -> list[Any]:
        return list(page_of(obj).inlines) if obj else []

    def get_readonly_fields(self, request: HttpRequest, obj: Bot | None = None) -> list[str]:
        return ["kind", "outline"]

    @display(description="Texts, options and models")
    def outline(self, bot: Bot) -> str:
        return pages.bot_outline(bot)

    def get_prepopulated_fields(
        self, request: HttpRequest, obj: Bot | None = None
    ) -> dict[str, tuple[str, ...]]:
        return {} if obj else {"slug": ("title",)}

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        protocol_of(form.instance).prepare(form.instance)
        for gap in check_opening(form.instance, "status" in form.changed_data):
            messages.warning(request, link_places(gap))
        if "status" in form.changed_data and form.instance.status == Bot.Status.LIVE:
            link = '“{}” is live at <a class="study-link" href="{url}">{url}</a>.'
            url = form.instance.public_path
            messages.success(request, format_html(link, form.instance, url=url))

    def response_add(
        self, request: HttpRequest, obj: Bot, post_url_continue: str | None = None
    ) -> HttpResponse:
        messages.success(request, f"“{obj}” is now a draft. The list shows what it still needs.")
        return redirect(self.change_url(obj))

    def response_change(self, request: HttpRequest, obj: Bot) -> HttpResponse:
        if GO_LIVE in request.POST:
            return redirect(f"{self.change_url(obj)}#top")  # browsers keep the place otherwise
        response: HttpResponse = super().response_change(request, obj)
        return response

    @display(description="Status", ordering="status", label=BADGES)
    def badge(self, bot: Bot) -> str:
        if bot.status == Bot.Status.LIVE and is_day_budget_spent(bot):
            return WITHOUT_A_MODEL
        return bot.get_status_display()

    @display(description="Kind", ordering="protocol")
    def kind(self, bot: Bot) -> str:
        return protocol_of(bot).title

    @display(description="Address", ordering="slug")
    def address(self, bot: Bot) -> str:
        return bot.public_path

    @display(description="Languages", empty_value="none yet")
    def languages(self, bot: Bot) -> str | None:
        return ", ".join(sorted(map(language_name, text_languages(bot)))) or None

    @display(description="Interviews")
    def interviews(self, bot: Bot) -> str:
        return str(quota(bot))

    @display(description="Home page", ordering="public", empty_value="")
    def listed(self, bot: Bot) -> str | None:
        return "listed" if bot.public else None

    def change_form_context(self, request: HttpRequest, row: Bot | None) -> dict[str, Any]:
        if row is None:
            return {"new_kind": PROTOCOLS[chosen_kind(request)], "kinds": PROTOCOLS}
        items, places = checklist(row), quota(row)
        experiments = Experiment.objects.filter(arms__bot=row).distinct()
        return {
            "experiments": visible(experiments, request.user),
            "sees_overview": any(map(request.user.has_perm, OVERVIEW)),
            "gaps": gaps(items),
            "places": places,
            "door": describe_availability(row, places, timezone.now()),
            "budgets": daily_budgets(budget_of(row)),
            "open_items": [item for item in items if not item.done],
            "done_items": [item for item in items if item.done],
            "facts": page_of(row).facts(row),
            "facts_template": page_of(row).facts_template,
        }

    def get_actions_detail(self, request: HttpRequest, object_id: int) -> list[Any]:
        bot = self.get_object(request, str(object_id))
        actions: list[Any] = super().get_actions_detail(request, object_id)
        if bot is None:
            return actions
        hidden = HIDDEN_STEPS[Bot.Status(bot.status)] | OWN_ACTIONS - page_of(bot).actions
        return [action for action in actions if action.path not in hidden]

    def get_actions_submit_line(self, request: HttpRequest, object_id: int) -> list[Any]:
        bot = self.get_object(request, str(object_id)) if object_id else None
        if bot is None or bot.status == Bot.Status.LIVE:
            return []
        actions: list[Any] = super().get_actions_submit_line(request, object_id)
        missing = len(gaps(checklist(bot)))
        for button in actions if missing else []:
            button.description += f" ({missing} missing)"
        return actions

    def import_kind(self, row: Bot | None) -> imports.ImportKind:
        return imports.BOT

    @staticmethod
    def preview_of(request: HttpRequest, row: Bot) -> HttpResponse:
        return page_of(row).preview(request, row)

    @action(description="Try it", icon="play_arrow", permissions=["change"], attrs=NEW_TAB)
    def try_it(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Lead to the start page of an interview in preview, or to what is missing for it."""
        bot = self.row(request, object_id)
        try:
            compile_bot(bot)
        except NotReady:
            messages.error(request, "It can’t be tried yet. Below is what is missing.")
            return redirect(self.change_url(bot))
        return redirect(preview_path(bot))

    @action(description="Public page", icon="open_in_new", permissions=["view"], attrs=NEW_TAB)
    def public_page(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return redirect(self.row(request, object_id).public_path)

    @action(description="After the interview", icon="fact_check", permissions=["after_work"])
    def after_work(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return redirect("admin:reflections_batch_of_bot", self.row(request, object_id).pk)

    def has_after_work_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        return all(map(request.user.has_perm, AFTER_WORK))

    @action(
        description="Try with 20 simulated participants", icon="science", permissions=["try_out"]
    )
    def try_out(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return redirect("admin:reflections_evaluation_of_bot", self.row(request, object_id).pk)

    def has_try_out_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        return all(map(request.user.has_perm, TRY_OUT))

    @action(description="Save and go live", permissions=["change"])
    def go_live(self, request: HttpRequest, bot: Bot) -> None:
        """Do nothing: the form takes the button for a choice of its status (BotForm)."""

    @action(description="Close the bot", icon="stop", permissions=["change"], dialog=CLOSE)
    def set_closed(self, request: HttpRequest, form: Any, object_id: str) -> HttpResponse:
        bot = set_status(self.row(request, object_id), Bot.Status.CLOSED)
        messages.success(request, f"“{bot}” is closed. Interviews under way can be finished.")
        return go(request, self.change_url(bot))

    @action(description="Return to draft", icon="edit", permissions=["change"], dialog=DRAFT)
    def set_draft(self, request: HttpRequest, form: Any, object_id: str) -> HttpResponse:
        bot = set_status(self.row(request, object_id), Bot.Status.DRAFT)
        return go(request, self.change_url(bot))

    @action(description="Plan versions", icon="difference", permissions=["view"])
    def versions(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return pages.versions(self, request, self.row(request, object_id))

    @action(description="Duplicate", icon="content_copy", permissions=["add"], dialog=COPY)
    def duplicate(self, request: HttpRequest, form: CopyBotForm, object_id: str) -> HttpResponse:
        copy = duplicate_bot(self.row(request, object_id), form.cleaned_data["title"])
        messages.success(request, f"This is the copy, “{copy}”, a draft.")
        return go(request, self.change_url(copy))


for own_action in (*BUTTONS, *MENU):
    setattr(BotAdmin, own_action.__name__, own_action)
