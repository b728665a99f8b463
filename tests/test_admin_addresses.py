"""No address of the admin fails for an id that isn't there."""

import re
from collections.abc import Iterator

import pytest
from django.contrib.admin import site
from django.urls import URLPattern, URLResolver, get_resolver

IDS = ("no-such", "999999", "3d0e9f52-6f0c-4a5f-9a53-0f3b8f8f6f11")


def addresses(resolver: URLResolver, before: str = "/") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        address = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield address
        else:
            yield from addresses(pattern, address)


@pytest.mark.parametrize("key", IDS)
def test_an_id_that_is_not_there_is_no_error_of_ours(admin_client, key: str):
    admin_client.raise_request_exception = False
    of_rows = {one for one in addresses(get_resolver()) if one.startswith("/admin/") and "<" in one}
    assert len(of_rows) > 100
    answers = {one: admin_client.get(re.sub("<[^>]+>", key, one)).status_code for one in of_rows}
    assert {one: status for one, status in answers.items() if status >= 500} == {}


def test_staff_are_not_asked_for_a_link_to_an_interview(admin_client):
    page = admin_client.get("/admin/nothing/").content.decode()
    assert "Back to the admin" in page
    assert "personal link" not in page
    assert "personal link" in admin_client.get("/nothing/").content.decode()


OURS = ("plans", "interviews", "reflections", "llm")


def test_each_list_says_what_its_search_looks_at_and_how_to_begin(admin_client):
    ours = [one for model, one in site._registry.items() if model._meta.app_label in OURS]
    assert [one for one in ours if one.search_fields and not one.search_help_text] == []
    assert "once a model is configured" in admin_client.get("/admin/llm/llmcall/").content.decode()
