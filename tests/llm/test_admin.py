"""The call log and the price table in the admin."""

from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from llm.calls import log
from llm.models import LLMCall, LLMPrice
from tests.llm.test_prices import RECORD

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(client: Client) -> Client:
    """Somebody who may see it."""
    client.force_login(get_user_model().objects.create_superuser("ada", "ada@example.org", "x"))
    return client


@pytest.fixture
def call() -> LLMCall:
    """A call with markup in every text."""
    request = {
        "system": "Be <b>kind</b>.",
        "messages": [{"role": "user", "text": "<script>alert(1)</script>"}],
        "max_tokens": 700,
    }
    log.save([replace(RECORD, request=request, response='{"text": "да"}', error="bad <i>")])
    return LLMCall.objects.get()


def test_the_list_can_be_searched(admin: Client, call: LLMCall, settings: Any) -> None:
    page = admin.get("/admin/llm/llmcall/", {"q": "s-1", "outcome__exact": "ok"})
    assert page.status_code == 200
    assert "claude-sonnet-5-5" in page.content.decode()


def test_a_call_is_shown_formatted_and_escaped(admin: Client, call: LLMCall) -> None:
    page = admin.get(f"/admin/llm/llmcall/{call.pk}/change/").content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert(1)" not in page
    assert "{\n  &quot;text&quot;: &quot;да&quot;\n}" in page


def test_a_calls_settings_are_folded_and_its_figures_are_for_people(
    admin: Client, call: LLMCall
) -> None:
    LLMCall.objects.update(created_at="2026-03-01T09:30:05Z", cost="0.0123")
    page = admin.get(f"/admin/llm/llmcall/{call.pk}/change/").content.decode()
    assert "<details><summary>Settings</summary>" in page
    assert "&quot;max_tokens&quot;: 700" in page.partition("<summary>Settings</summary>")[2]
    for shown in (page, admin.get("/admin/llm/llmcall/").content.decode()):
        assert "2026-03-01 09:30:05" in shown
        assert "0.0123" in shown
        assert "0.01230000" not in shown


def test_nobody_edits_the_log(admin: Client, call: LLMCall) -> None:
    assert admin.get("/admin/llm/llmcall/add/").status_code == 403
    assert admin.post(f"/admin/llm/llmcall/{call.pk}/change/", {"task": "x"}).status_code == 403


def test_prices_are_edited(admin: Client) -> None:
    price = LLMPrice.objects.get(model_prefix="claude-opus-5-5")
    new = {
        "provider": "anthropic",
        "model_prefix": "claude-opus-5-5",
        "input": "3",
        "output": "15",
        "cache_read": "0",
        "cache_write": "0",
        "currency": "USD",
        "note": "ours",
    }
    assert admin.post(f"/admin/llm/llmprice/{price.pk}/change/", new).status_code == 302
    price.refresh_from_db()
    assert (price.input, price.note) == (3, "ours")
