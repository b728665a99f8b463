"""Form fields for a protocol's options, made from their pydantic types.

A field is chosen by the option's name where it means more than its type says, else by its type.
Options that are mappings from languages get one field per language, those that have options of
their own one for each of these.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Le
from django import forms
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from plans.forms.fields import Lines, Tags, TidyText
from plans.portability.reader import stated
from plans.text.languages import language_name

PREFIX = "option"
CHOICES = {  # in words; what isn't here says itself
    "none": "No reward",
    "fixed": "The same code for everybody",
    "pool": "A code of the pool for each",
    "redirect": "An address that people are sent to",
    "same": "The same as at the end",
    "model": "A model, which follows the answers",
    "list": "The list alone",
    "coverage": "Every element first",
    "exploratory": "Depth where it opens",
}
LINES_BY_LANGUAGE = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class OptionContext:
    """What the fields need to know of the bot: its languages, and its scripts' sections."""

    languages: Sequence[str] = ()
    sections: Mapping[str, str] = field(default_factory=dict)  # key -> title


def option_fields(
    options: type[BaseModel], stored: Mapping[str, Any], around: OptionContext, within: str = ""
) -> dict[str, forms.Field]:
    """Form fields by name, with what is stored as their initial values."""
    fields: dict[str, forms.Field] = {}
    for name, info in options.model_fields.items():
        value = stored.get(name, info.get_default(call_default_factory=True))
        inner = _inner(info)
        if inner is None:
            fields |= _fields(name, info, value, around, within)
        else:
            own = value.model_dump() if isinstance(value, BaseModel) else value
            fields |= option_fields(inner, own, around, name)
    return fields


def _inner(info: FieldInfo) -> type[BaseModel] | None:
    """The type of an option that has options of its own."""
    kind = info.annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _fields(
    name: str, info: FieldInfo, value: Any, around: OptionContext, within: str
) -> dict[str, forms.Field]:
    if info.annotation == LINES_BY_LANGUAGE:
        languages = [*around.languages, *(lang for lang in value if lang not in around.languages)]
        return {
            field_name(name, language): _lines(name, info, value.get(language, ()), language)
            for language in languages
        }
    if name in BY_NAME:
        return {field_name(within, name): BY_NAME[name](name, info, value, around)}
    field_of = _choice if get_origin(info.annotation) is Literal else BY_TYPE[info.annotation]
    return {field_name(within, name): field_of(name, info, value)}


def field_name(*parts: str) -> str:
    """The form field of an option, or of a part of one."""
    return "__".join(part for part in (PREFIX, *parts) if part)


def _words(name: str, info: FieldInfo, value: Any) -> dict[str, Any]:
    return {
        "label": info.title or name.replace("_", " ").capitalize(),
        "help_text": info.description or "",
        "initial": value,
        "required": False,
    }


def _lines(name: str, info: FieldInfo, value: Any, language: str = "") -> forms.Field:
    words = _words(name, info, list(value))
    if language:
        words["label"] = f"{words['label']} ({language_name(language)})"
    words["help_text"] = f"{words['help_text']} One a line.".strip()
    return Lines(**words)


def _number(name: str, info: FieldInfo, value: Any) -> forms.Field:
    words = _words(name, info, value) | {"required": True}
    return forms.IntegerField(**words, **_bounds(info), widget=UnfoldAdminIntegerFieldWidget())


def _decimal(name: str, info: FieldInfo, value: Any) -> forms.Field:
    words = _words(name, info, value) | {"required": True}
    return forms.FloatField(**words, **_bounds(info), widget=UnfoldAdminDecimalFieldWidget())


def _bounds(info: FieldInfo) -> dict[str, Any]:
    return {
        bound: getattr(rule, attribute)
        for rule in info.metadata
        for kind, attribute, bound in ((Ge, "ge", "min_value"), (Le, "le", "max_value"))
        if isinstance(rule, kind)
    }


def _switch(name: str, info: FieldInfo, value: Any) -> forms.Field:
    return forms.BooleanField(**_words(name, info, value), widget=UnfoldBooleanSwitchWidget())


def _line(name: str, info: FieldInfo, value: Any) -> forms.Field:
    return forms.CharField(**_words(name, info, value), widget=UnfoldAdminTextInputWidget())


def _sections(name: str, info: FieldInfo, value: Any, around: OptionContext) -> forms.Field:
    """Boxes for the sections of the bot's scripts, and for those that were left out before."""
    gone = {key: f"{key} (in no script now)" for key in value if key not in around.sections}
    choices = [*around.sections.items(), *gone.items()]
    words = _words(name, info, list(value))
    if not choices:
        words["help_text"] = "Choose a script and save; its sections are offered here."
    widget = UnfoldAdminCheckboxSelectMultipleWidget()
    return forms.MultipleChoiceField(**words, choices=choices, widget=widget)


def _text(name: str, info: FieldInfo, value: Any, around: OptionContext) -> forms.Field:
    return TidyText(**_words(name, info, value), max_length=LONGEST)


def _tags(name: str, info: FieldInfo, value: Any, around: OptionContext) -> forms.Field:
    return Tags(**_words(name, info, list(value)) | {"required": True})


def _choice(name: str, info: FieldInfo, value: Any) -> forms.Field:
    choices = [(one, CHOICES.get(one, one)) for one in get_args(info.annotation)]
    words = _words(name, info, value) | {"required": True}
    return forms.ChoiceField(**words, choices=choices, widget=UnfoldAdminSelectWidget())


def _section(name: str, info: FieldInfo, value: Any, around: OptionContext) -> forms.Field:
    """One section of the bot's scripts, or none; one that is gone can be seen to be."""
    gone = {value: f"{value} (in no script now)"} if value not in ("", *around.sections) else {}
    choices = [("", "The first one"), *around.sections.items(), *gone.items()]
    words = _words(name, info, value)
    return forms.ChoiceField(**words, choices=choices, widget=UnfoldAdminSelectWidget())


LONGEST = 20_000  # characters of one text
BY_NAME: dict[str, Callable[[str, FieldInfo, Any, OptionContext], forms.Field]] = {
    "excluded_sections": _sections,
    "default_topic": _section,
    "languages": _tags,
    "goal": _text,
    "manual_guide": _text,
    "data_purpose": _text,
    "data_kept": _text,
}
BY_TYPE: dict[Any, Callable[[str, FieldInfo, Any], forms.Field]] = {
    int: _number,
    float: _decimal,
    bool: _switch,
    str: _line,
    tuple[str, ...]: _lines,
}


def collect_options(
    options: type[BaseModel], cleaned: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The options that a form's data states, and messages by form field where they don't fit."""
    data = _typed(options, cleaned)
    try:
        return stated(options.model_validate(data)), {}
    except ValidationError as error:
        return {}, {_field_of(e["loc"], cleaned): e["msg"] for e in error.errors()}


def _typed(
    options: type[BaseModel], cleaned: Mapping[str, Any], within: str = ""
) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for name, info in options.model_fields.items():
        inner = _inner(info)
        if inner is not None:
            data[name] = _typed(inner, cleaned, name)
        elif info.annotation == LINES_BY_LANGUAGE:
            data[name] = _by_language(name, cleaned)
        elif field_name(within, name) in cleaned:
            data[name] = cleaned[field_name(within, name)]
    return data


def _by_language(name: str, cleaned: Mapping[str, Any]) -> dict[str, Any]:
    start = field_name(name) + "__"
    given = {key.removeprefix(start): cleaned[key] for key in cleaned if key.startswith(start)}
    return {language: lines for language, lines in given.items() if lines}


def _field_of(loc: tuple[str | int, ...], cleaned: Mapping[str, Any]) -> str:
    """The form field that an error belongs to; the whole form where there is none."""
    for parts in (loc[:2], loc[:1]):
        name = field_name(*map(str, parts))
        if name in cleaned:
            return name
    return "__all__"
