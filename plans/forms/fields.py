"""Form fields for written material."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import (
    UnfoldAdminExpandableTextareaWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from plans.models.script import validate_language
from plans.text import tidy
from plans.text.languages import is_known


class TidyText(forms.CharField):
    """Text of any length in the one form in which it is kept."""

    widget = UnfoldAdminTextareaWidget

    def to_python(self, value: Any) -> Any:
        return tidy(super().to_python(value) or "")

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Line breaks as a browser sends them are no change."""
        return bool(super().has_changed(tidy(initial or ""), tidy(data or "")))


class Lines(forms.CharField):
    """A list of texts, one a line."""

    widget = UnfoldAdminExpandableTextareaWidget

    def prepare_value(self, value: Any) -> Any:
        """A list is shown as lines; what was typed is shown again as it is."""
        return value if isinstance(value, str) or value is None else "\n".join(value)

    def to_python(self, value: Any) -> Any:
        """The lines that hold something."""
        return [line for raw in tidy(value or "").split("\n") if (line := raw.strip())]

    def has_changed(self, initial: Iterable[str] | None, data: Any) -> bool:
        return bool(list(initial or []) != self.to_python(data))

    def validate(self, value: Any) -> None:
        """An empty list is as good as any unless the field is required."""
        forms.Field.validate(self, value)

    def run_validators(self, value: Any) -> None:
        """Nothing to check in the list as such."""


class ShortLines(Lines):
    """A list of at most so many texts, each of at most so many characters."""

    def __init__(self, *, most: int, longest: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.most, self.longest = most, longest

    def validate(self, value: Any) -> None:
        """Refuses more than is kept, and says which line is too long."""
        super().validate(value)
        if len(value) > self.most:
            raise ValidationError(f"{len(value)} lines; {self.most} are the most.")
        for number, line in enumerate(value, 1):
            if len(line) > self.longest:
                raise ValidationError(f"Line {number} is longer than {self.longest} characters.")


class Tags(Lines):
    """Language tags with commas between them, each once."""

    widget = UnfoldAdminTextInputWidget

    def prepare_value(self, value: Any) -> Any:
        """A list is shown with commas; what was typed is shown again as it is."""
        return value if isinstance(value, str) or value is None else ", ".join(value)

    def to_python(self, value: Any) -> Any:
        """The tags in the order given."""
        tags = (tag.strip() for tag in (value or "").replace(";", ",").split(","))
        return list(dict.fromkeys(tag for tag in tags if tag))

    def validate(self, value: Any) -> None:
        """Refuses what no language has."""
        super().validate(value)
        for tag in value:
            validate_language(tag)
            if not is_known(tag):
                raise ValidationError(f"No language has the tag “{tag}”.")
