"""What a laddering interview explores."""

from typing import Annotated, Literal

from pydantic import Field

from plans.content.base import Frozen
from plans.ladders.parts import VERSION, Id, Language, Name, Needed, Phrase, Told


class Context(Frozen):
    """What the research is about. The interviewer knows it; participants are told the topic."""

    topic: Needed
    insight: Told = ""  # what is believed about people's lives
    promise: Told = ""  # what the product or service says it does for them
    reason_to_believe: Told = ""  # why that should be true


class Element(Frozen):
    """One thing that is to be talked about. Aliases are other words for it, in any language."""

    id: Id
    label: Name
    aliases: tuple[Phrase, ...] = Field((), max_length=100)

    @property
    def names(self) -> tuple[str, ...]:
        """All words for it, its label first."""
        return (self.label, *self.aliases)


class Concept(Frozen):
    """What is explored: a context, and the elements that each should be reached."""

    format: Literal["interviewsite/concept"] = "interviewsite/concept"
    version: Annotated[int, Field(ge=1, le=VERSION)] = VERSION
    id: Id
    name: Name
    language: Language = "en"  # that its texts and labels are written in
    context: Context
    elements: tuple[Element, ...] = Field(min_length=1, max_length=60)
