"""Form fields for what a bot says about itself, in each of its languages."""

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
    """The form field of one text in one language."""
    return f"text__{language}__{name}"


def text_fields(bot: Bot, languages: Iterable[str]) -> dict[str, forms.Field]:
    """Form fields by name, with what is stored as their initial values."""
    stored = {text.language: text for text in bot.texts.all()}
    return {
        text_field(language, name): _field(name, getattr(stored.get(language), name, ""))
        for language in languages
        for name in NAMES
    }


def _field(name: str, value: str) -> forms.Field:
    column = cast("models.Field[Any, Any]", BotText._meta.get_field(name))
    shown: dict[str, Any] = {
        "label": str(column.verbose_name).capitalize(),
        "required": False,
        "initial": value,
        "help_text": str(column.help_text),
    }
    if column.max_length:
        return TidyText(**shown, max_length=column.max_length, widget=UnfoldAdminTextInputWidget)
    return TidyText(**shown)


def collect_texts(languages: Iterable[str], cleaned: Mapping[str, Any]) -> dict[str, Texts]:
    """The texts that a form's data states, by language."""
    return {
        language: Texts(**{name: cleaned.get(text_field(language, name)) or "" for name in NAMES})
        for language in languages
    }


def save_texts(bot: Bot, texts: Mapping[str, Texts]) -> None:
    """Stores texts that changed; each save is a version."""
    stored = {text.language: text for text in bot.texts.all()}
    for language, said in texts.items():
        row = stored.get(language) or BotText(bot=bot, language=language)
        fields = said.model_dump()
        if fields != {name: getattr(row, name) for name in NAMES}:
            for name, value in fields.items():
                setattr(row, name, value)
            row.save()
