from collections.abc import Iterable
from math import inf
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import (
    UnfoldAdminExpandableTextareaWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from llm.languages import is_known
from plans.models.script import validate_language
from plans.text import tidy

PLAIN_LATIN = {"invalid": "Use only Latin letters, digits, - and _."}  # Django says “slug”


class TidyText(forms.CharField):
    widget = UnfoldAdminTextareaWidget

    def to_python(self, value: Any) -> Any:
        return tidy(super().to_python(value) or "")

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Ignore the line breaks that browsers send."""
        return bool(super().has_changed(tidy(initial or ""), tidy(data or "")))


class Lines(forms.CharField):
    """A list of texts, one a line."""

    widget = UnfoldAdminExpandableTextareaWidget

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) or value is None else "\n".join(value)

    def to_python(self, value: Any) -> Any:
        return [line for raw in tidy(value or "").split("\n") if (line := raw.strip())]

    def clean(self, value: Any) -> Any:
        is_typed = value is None or isinstance(value, str)
        return super().clean(value) if is_typed else value  # a disabled field's own

    def has_changed(self, initial: Iterable[str] | None, data: Any) -> bool:
        return bool(list(initial or []) != self.to_python(data))

    def validate(self, value: Any) -> None:
        forms.Field.validate(self, value)

    def run_validators(self, value: Any) -> None:
        pass  # CharField's are for a single text


class ShortLines(Lines):
    """A list of at most `most` texts of at most `longest` characters each."""

    def __init__(self, *, longest: int, most: float = inf, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.most, self.longest = most, longest

    def validate(self, value: Any) -> None:
        super().validate(value)
        if len(value) > self.most:
            raise ValidationError(f"There are {len(value)} lines. The maximum is {self.most}.")
        for number, line in enumerate(value, 1):
            if len(line) > self.longest:
                raise ValidationError(f"Line {number} is longer than {self.longest} characters.")


class Names(Lines):
    """A list of different names, separated by commas."""

    widget = UnfoldAdminTextInputWidget

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) or value is None else ", ".join(value)

    def to_python(self, value: Any) -> Any:
        names = (name.strip() for name in (value or "").split(","))
        return list(dict.fromkeys(name for name in names if name))


class Tags(Names):
    """Language tags."""

    def to_python(self, value: Any) -> Any:
        return super().to_python((value or "").replace(";", ","))

    def validate(self, value: Any) -> None:
        super().validate(value)
        for tag in value:
            validate_language(tag)
            if not is_known(tag):
                raise ValidationError(f"No language has the tag “{tag}”.")
