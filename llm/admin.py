import json
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin
from unfold.paginator import InfinitePaginator

from llm.costs import prices
from llm.models import LLMCall, LLMPrice

TEXT = '<pre style="white-space: pre-wrap; max-width: 80ch">{}</pre>'
SETTINGS = f"<details><summary>Settings</summary>{TEXT}</details>"
TOKENS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "price")
LONG_FIELDS = ("request", "response", "error")


@admin.register(LLMCall)
class LLMCallAdmin(ModelAdmin):
    list_display = (
        *("made_at", "task", "model", "outcome", "total_ms", "tokens", "price"),
        *("session", "turn"),
    )
    list_filter = ("outcome", "tier", "provider", "model", "task", "created_at")
    search_fields = ("session", "bot", "task", "model")
    search_help_text = "Session, bot, task or model"
    how_to_begin = "They appear here once a model is configured and asked in an interview."
    list_per_page = 50
    show_full_result_count = False
    paginator = InfinitePaginator  # counting millions of rows is slow
    fieldsets: ClassVar = (
        (None, {"fields": ("made_at", "task", "outcome", "error_text", "attempt")}),
        ("On whose behalf", {"fields": ("session", "turn", "bot")}),
        ("Model", {"fields": ("provider", "model", "tier", "template_version")}),
        ("Time", {"fields": ("first_token_ms", "total_ms")}),
        ("Tokens and cost", {"fields": TOKENS}),
        ("Words", {"fields": ("asked", "answered")}),
    )
    readonly_fields = ("made_at", "price", "asked", "answered", "error_text")

    def get_queryset(self, request: HttpRequest) -> QuerySet[LLMCall]:
        calls: QuerySet[LLMCall] = super().get_queryset(request)
        match = request.resolver_match
        in_list = bool(match and (match.url_name or "").endswith("_changelist"))
        return calls.defer(*LONG_FIELDS) if in_list else calls

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: LLMCall | None = None) -> bool:
        return False

    @admin.display(description="Time (UTC)", ordering="created_at")
    def made_at(self, call: LLMCall) -> str:
        return f"{call.created_at:%Y-%m-%d %H:%M:%S}"

    @admin.display(description="Tokens in, out")
    def tokens(self, call: LLMCall) -> str:
        return f"{call.input_tokens:,}, {call.output_tokens:,}"

    @admin.display(description="Cost", ordering="cost", empty_value="no price")
    def price(self, call: LLMCall) -> str | None:
        return None if call.cost is None else f"{call.cost.normalize():f}"

    @admin.display(description="Asked")
    def asked(self, call: LLMCall) -> SafeString:
        rest = {key: call.request[key] for key in call.request if key not in ("system", "messages")}
        messages = [("system", str(call.request.get("system", "")))]
        messages += [(line["role"], line["text"]) for line in call.request.get("messages", ())]
        return format_html(
            "{}{}",
            format_html_join("", f"<strong>{{}}</strong>{TEXT}", messages),
            format_html(SETTINGS, json.dumps(rest, indent=2, ensure_ascii=False)),
        )

    @admin.display(description="Answered")
    def answered(self, call: LLMCall) -> SafeString:
        try:
            text = json.dumps(json.loads(call.response), indent=2, ensure_ascii=False)
        except (ValueError, RecursionError):
            text = call.response
        return format_html(TEXT, text)

    @admin.display(description="Error")
    def error_text(self, call: LLMCall) -> SafeString:
        return format_html(TEXT, call.error)


@admin.register(LLMPrice)
class LLMPriceAdmin(ModelAdmin):
    list_display = (
        *("provider", "model_prefix", "input", "output", "cache_read", "cache_write"),
        *("currency", "note"),
    )
    list_filter = ("provider",)
    search_fields = ("model_prefix", "note")
    search_help_text = "Model, note"

    def save_model(self, request: HttpRequest, obj: LLMPrice, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        prices.clear_cache()
