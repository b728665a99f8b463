"""The kinds of fields that concepts and methodologies share."""

from typing import Annotated

from pydantic import Field

from plans.portability.documents import SLUG, Language, Name, Phrase
from plans.portability.documents import Optional as Told
from plans.portability.documents import Required as Needed

VERSION = 1

Id = Annotated[str, Field(pattern=SLUG, max_length=60)]
InLanguages = dict[Language, Needed]

__all__ = ["VERSION", "Id", "InLanguages", "Language", "Name", "Needed", "Phrase", "Told"]
