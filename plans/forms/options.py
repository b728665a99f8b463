"""Form fields for a protocol's options, made from their pydantic types.

The option's name picks its field where it means more than its type says, else its type does.
Nested options get a field each.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Le
from django import forms
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from plans.forms.fields import Tags, TidyText
from plans.portability.decoder import decode
from plans.portability.problems import BrokenDocument
from plans.portability.reader import non_default_options
from plans.text import tidy

PREFIX = "option"
LONGEST = 20_000  # characters of one text
ENDINGS = (".txt", ".md", ".markdown")
LIMIT = 200 * 1024  # bytes; LONGEST characters fit in any script
GUIDE_FILE = "guide_file"
Kwargs = dict[str, Any]  # of a form field
Sections = Mapping[str, str]  # of the bot's scripts: key -> title
CHOICE_LABELS = {  # other values are their own labels
    "none": "No reward",
    "fixed": "The same code for everybody",
    "pool": "A code from the pool for each participant",
    "redirect": "An address people are sent to",
    "same": "The same as at the end",
    "model": "A model, following the answers",
    "adapted": "The list, adapted to the answers",
    "list": "The list only",
    "coverage": "Every element first",
    "exploratory": "Depth first",
}


def option_fields(
    options: type[BaseModel], stored: Mapping[str, Any], sections: Sections, parent: str = ""
) -> dict[str, forms.Field]:
    """Return form fields by name, with the stored values as their initial ones."""
    fields: dict[str, forms.Field] = {}
    for name, info in options.model_fields.items():
        value = stored.get(name, info.get_default(call_default_factory=True))
        inner = _nested_options(info)
        if inner is None:
            fields[field_name(parent, name)] = _field_of_option(name, info, value, sections)
        else:
            own = value.model_dump() if isinstance(value, BaseModel) else value
            fields |= option_fields(inner, own, sections, name)
    return fields


def _nested_options(info: FieldInfo) -> type[BaseModel] | None:
    kind = info.annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _field_of_option(name: str, info: FieldInfo, value: Any, sections: Sections) -> forms.Field:
    kwargs = {
        "label": info.title or name.replace("_", " ").capitalize(),
        "help_text": info.description or "",
        "initial": value,
        "required": False,
    }
    if name in BY_NAME:
        return BY_NAME[name](kwargs, sections)
    if get_origin(info.annotation) is Literal:
        choices = [(one, CHOICE_LABELS.get(one, one)) for one in get_args(info.annotation)]
        return _choice_field(kwargs | {"required": True}, choices)
    made, widget, required = BY_TYPE[info.annotation]
    return made(**kwargs | {"required": required}, **_bounds(info), widget=widget())


def field_name(*parts: str) -> str:
    """Return the form field of an option, or of a part of one."""
    return "__".join(part for part in (PREFIX, *parts) if part)


def _bounds(info: FieldInfo) -> dict[str, Any]:
    return {
        bound: getattr(rule, attribute)
        for rule in info.metadata
        for kind, attribute, bound in ((Ge, "ge", "min_value"), (Le, "le", "max_value"))
        if isinstance(rule, kind)
    }


def _choice_field(kwargs: Kwargs, choices: list[tuple[str, str]]) -> forms.Field:
    return forms.ChoiceField(**kwargs, choices=choices, widget=UnfoldAdminSelectWidget())


def _section_field(kwargs: Kwargs, sections: Sections) -> forms.Field:
    return _choice_field(
        kwargs, [("", "The first one"), *_section_choices(sections, [kwargs["initial"]])]
    )


def _sections_field(kwargs: Kwargs, sections: Sections) -> forms.Field:
    choices = _section_choices(sections, kwargs["initial"])
    if not choices:
        kwargs["help_text"] = "Choose a script and save. Its sections are then listed here."
    widget = UnfoldAdminCheckboxSelectMultipleWidget()
    return forms.MultipleChoiceField(**kwargs, choices=choices, widget=widget)


def _section_choices(sections: Sections, chosen: Iterable[str]) -> list[tuple[str, str]]:
    gone = [(key, f"{key} (not in a script)") for key in chosen if key not in ("", *sections)]
    return [*sections.items(), *gone]


def _text_field(kwargs: Kwargs, sections: Sections) -> forms.Field:
    return TidyText(**kwargs, max_length=LONGEST)


BY_NAME: dict[str, Callable[[Kwargs, Sections], forms.Field]] = {
    "excluded_sections": _sections_field,
    "default_topic": _section_field,
    "languages": lambda kwargs, sections: Tags(**kwargs | {"required": True}),
    "goal": _text_field,
    "manual_guide": _text_field,
    "data_purpose": _text_field,
    "data_kept": _text_field,
}
BY_TYPE: dict[Any, tuple[type[forms.Field], type[forms.Widget], bool]] = {  # whether it is required
    int: (forms.IntegerField, UnfoldAdminIntegerFieldWidget, True),
    float: (forms.FloatField, UnfoldAdminDecimalFieldWidget, True),
    bool: (forms.BooleanField, UnfoldBooleanSwitchWidget, False),
    str: (forms.CharField, UnfoldAdminTextInputWidget, False),
}


def collect_options(
    options: type[BaseModel], cleaned: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the options in a form's data, and messages by form field."""
    data = _option_values(options, cleaned)
    try:
        return non_default_options(options.model_validate(data)), {}
    except ValidationError as error:
        return {}, {_error_field(e["loc"], cleaned): e["msg"] for e in error.errors()}


def _option_values(
    options: type[BaseModel], cleaned: Mapping[str, Any], parent: str = ""
) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for name, info in options.model_fields.items():
        inner = _nested_options(info)
        if inner is not None:
            data[name] = _option_values(inner, cleaned, name)
        elif field_name(parent, name) in cleaned:
            data[name] = cleaned[field_name(parent, name)]
    return data


def _error_field(loc: tuple[str | int, ...], cleaned: Mapping[str, Any]) -> str:
    """Return the form field that an error belongs to, else the whole form."""
    for parts in (loc[:2], loc[:1]):
        name = field_name(*map(str, parts))
        if name in cleaned:
            return name
    return "__all__"


class GuideFile(forms.FileField):
    """A text or Markdown file; its clean value is the text in it."""

    widget = UnfoldAdminFileFieldWidget

    def __init__(self) -> None:
        super().__init__(
            label="Or upload a file",
            help_text=f"Text or Markdown (.txt, .md) in UTF-8, up to {LONGEST:,} characters. It "
            "replaces the text above.",
            required=False,
            allow_empty_file=True,
        )

    def clean(self, data: Any, initial: Any = None) -> str:
        upload = super().clean(data, initial)
        return _read_guide(upload) if upload else ""


def _read_guide(upload: Any) -> str:
    if not str(upload.name).lower().endswith(ENDINGS):
        raise forms.ValidationError(
            f"“{upload.name}” is not a text or Markdown file. Save it as .txt or .md first."
        )
    if upload.size > LIMIT:
        raise forms.ValidationError(f"The file is larger than {LIMIT // 1024} KB.")
    try:
        text = tidy(decode(upload.read()))
    except BrokenDocument as error:
        raise forms.ValidationError([str(problem) for problem in error.problems]) from error
    if not text:
        raise forms.ValidationError("The file is empty.")
    if len(text) > LONGEST:
        raise forms.ValidationError(
            f"The guide has {len(text):,} characters. The maximum is {LONGEST:,}."
        )
    return text
