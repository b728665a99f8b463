"""The page that says what is stored where is read off the models and settings."""

from typing import Any

import pytest
from django.apps import apps
from django.urls import reverse

from interviews.models import CollectedValue, Invitation, Session, Webhook
from interviewsite.admin.pages import DELETED_WITH, deleted_with, recipients
from llm.models import LLMCall, LLMPrice
from plans.models import Bot, Plan
from reflections.models import Reflection, Review
from tests.each import each


@each("model", [Session, CollectedValue, Reflection, Review, LLMCall])
def test_what_goes_with_an_interview(model: Any):
    assert deleted_with(model) == DELETED_WITH[Session]


@pytest.mark.parametrize("model", [Bot, Invitation])
def test_what_goes_with_a_bot(model: Any):
    assert deleted_with(model) == DELETED_WITH[Bot]


def test_what_is_deleted_by_hand():
    assert deleted_with(LLMPrice) == deleted_with(Plan) == "By hand"


def test_every_table_is_on_it(admin_client: Any):
    page = admin_client.get(reverse("data_protection")).text
    tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    left_out = {table for table in tables if f"<code>{table}</code>" not in page}
    assert left_out <= {"django_content_type"}


def test_who_else_gets_data(settings: Any, admin_user: Any):
    settings.DICTATION_PROVIDER = "off"
    assert [*recipients()] == []
    Webhook.objects.create(user=admin_user, url="https://hooks.example.org/x?key=1", secret="")
    settings.OPENAI_BASE_URL, settings.OPENAI_CHAT_MODEL = "http://127.0.0.1:11434/v1", "a-model"
    settings.EMAIL_URL, settings.EMAIL_HOST = "smtp://mail.example.org", "mail.example.org"
    settings.DICTATION_PROVIDER = "deepgram"
    settings.SENTRY_DSN = "https://key@errors.example.org/1"
    told = " ".join(who for who, _what in recipients())
    for host in (
        "hooks.example.org",
        "127.0.0.1:11434",
        "mail.example.org",
        "api.deepgram.com",
        "errors.example.org",
    ):
        assert host in told
    assert "key" not in told


def test_a_fallback_at_another_provider_gets_data_too(settings: Any, db: None):
    settings.DICTATION_PROVIDER = "off"
    settings.LLM_MAIN_FALLBACK, settings.LLM_FAST_FALLBACK = "together:big", "together:small"
    assert [*recipients()] == []
    settings.LLM_PROVIDER = "openai"
    told = [who for who, _what in recipients()]
    assert told == ["Model: openai", f"Model: {settings.TOGETHER_BASE_URL}"]
    settings.LLM_MAIN_FALLBACK = settings.LLM_FAST_FALLBACK = "openai:other"
    assert [who for who, _what in recipients()] == ["Model: openai"]


def test_only_for_superusers(client: Any, django_user_model: Any, db: None):
    client.force_login(django_user_model.objects.create_user("anna", is_staff=True))
    assert client.get(reverse("data_protection")).status_code == 403
