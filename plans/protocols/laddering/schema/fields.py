from typing import Annotated

from pydantic import Field

from plans.portability.documents import SLUG, Language, Name, Phrase
from plans.portability.documents import Optional as OptionalText
from plans.portability.documents import Required as RequiredText

VERSION = 1

Id = Annotated[str, Field(pattern=SLUG, max_length=60)]
InLanguages = dict[Language, RequiredText]

__all__ = [
    "VERSION",
    "Id",
    "InLanguages",
    "Language",
    "Name",
    "OptionalText",
    "Phrase",
    "RequiredText",
]
