"""What a laddering interview explores."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from plans.protocols.laddering.schema.fields import (
    VERSION,
    Id,
    InLanguages,
    Language,
    Name,
    OptionalText,
    Phrase,
    RequiredText,
)
from plans.protocols.plan_content import Frozen


class Context(Frozen):
    """What the research is about. The interviewer knows it; participants are told the topic.

    `topics` are the same topic in other languages.
    """

    topic: RequiredText
    topics: InLanguages = {}
    insight: OptionalText = ""  # what is believed about people's lives
    promise: OptionalText = ""  # what the product or service says it does for them
    reason_to_believe: OptionalText = ""  # why that should be true


class Element(Frozen):
    """One thing that is to be talked about.

    `labels` are what it is called in other languages; aliases are more words for it, in any.
    """

    id: Id
    label: Name
    labels: dict[Language, Name] = {}
    aliases: tuple[Phrase, ...] = Field((), max_length=100)

    @property
    def names(self) -> tuple[str, ...]:
        """All words for it, each once, its label first."""
        return tuple(dict.fromkeys((self.label, *self.aliases, *self.labels.values())))


class Concept(Frozen):
    """What is explored: a context, and the elements that each should be reached."""

    format: Literal["interviewsite/concept"] = "interviewsite/concept"
    version: Annotated[int, Field(ge=1, le=VERSION)] = VERSION
    id: Id
    name: Name
    language: Language = "en"  # that its texts and labels are written in
    context: Context
    elements: tuple[Element, ...] = Field(min_length=1, max_length=60)

    def speaks(self, language: str) -> bool:
        """Whether its topic and all its elements have words in that language."""
        if _said([self.language], language):
            return True
        texts = (self.context.topics, *(element.labels for element in self.elements))
        return all(_said(one, language) for one in texts)

    def in_language(self, language: str) -> "Concept":
        """The same with topic and labels in that language; what has no words there stays."""
        topic = _word(self.context.topics, language, self.context.topic)
        elements = tuple(
            one.model_copy(
                update={
                    "label": _word(one.labels, language, one.label),
                    "labels": {**one.labels, self.language: one.label},
                }
            )
            for one in self.elements
        )
        context = self.context.model_copy(update={"topic": topic})
        return self.model_copy(update={"context": context, "elements": elements})


def _said(languages: Iterable[str], language: str) -> str:
    """Which of the languages serves: itself, else without its region; empty if none does."""
    there = set(languages)
    return next((tag for tag in (language, language.split("-")[0]) if tag in there), "")


def _word(texts: Mapping[str, str], language: str, otherwise: str) -> str:
    return texts.get(_said(texts, language), otherwise)
