from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminFileFieldWidget

from plans.forms.options import LONGEST
from plans.portability.decoder import decode
from plans.portability.problems import BrokenDocument
from plans.text import tidy

ENDINGS = (".txt", ".md", ".markdown")
LIMIT = 200 * 1024  # bytes; LONGEST characters fit in any script
GUIDE_FILE = "guide_file"


class GuideFile(forms.FileField):
    """A text or Markdown file; its clean value is the text in it."""

    widget = UnfoldAdminFileFieldWidget

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("label", "Or upload a file")
        kwargs.setdefault(
            "help_text",
            f"Text or Markdown (.txt, .md) in UTF-8, up to {LONGEST:,} characters. It replaces "
            "the text above.",
        )
        super().__init__(required=False, allow_empty_file=True, **kwargs)

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
