from collections.abc import Iterable, Mapping
from typing import Any, cast

from django import forms
from django.db import models
from unfold.widgets import UnfoldAdminTextInputWidget

from plans.forms.fields import TidyText
from plans.models import Bot, BotText
from plans.protocols import Texts

NAMES = tuple(Texts.model_fields)


def text_field(language: str, name: str) -> str:
    return f"text__{language}__{name}"


def text_fields(bot: Bot, languages: Iterable[str]) -> dict[str, forms.Field]:
    stored = {text.language: text for text in bot.texts.all()}
    return {
        text_field(language, name): _form_field(name, getattr(stored.get(language), name, ""))
        for language in languages
        for name in NAMES
    }


def _form_field(name: str, value: str) -> forms.Field:
    column = cast("models.Field[Any, Any]", BotText._meta.get_field(name))
    kwargs: dict[str, Any] = {
        "label": str(column.verbose_name).capitalize(),
        "required": False,
        "initial": value,
        "help_text": str(column.help_text),
    }
    if column.max_length:
        return TidyText(**kwargs, max_length=column.max_length, widget=UnfoldAdminTextInputWidget)
    return TidyText(**kwargs)


def collect_texts(languages: Iterable[str], cleaned: Mapping[str, Any]) -> dict[str, Texts]:
    return {
        language: Texts(**{name: cleaned.get(text_field(language, name)) or "" for name in NAMES})
        for language in languages
    }
