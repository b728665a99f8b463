from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import Field

from plans.portability.documents import SLUG, Language, Name, Phrase
from plans.portability.documents import Optional as OptionalText
from plans.portability.documents import Required as RequiredText
from plans.protocols.plan_content import Frozen

VERSION = 1
Id = Annotated[str, Field(pattern=SLUG, max_length=60)]
InLanguages = dict[Language, RequiredText]


class Context(Frozen):
    """What the research is about; the interviewer knows it, participants are told the topic.

    `topics` is the topic in other languages.
    """

    topic: RequiredText
    topics: InLanguages = {}
    insight: OptionalText = ""  # what is believed about people's lives
    promise: OptionalText = ""  # what the product or service says it does for them
    reason_to_believe: OptionalText = ""  # why that should be true


class Element(Frozen):
    """One thing to talk about.

    `labels` are its names in other languages; `aliases` are more names for it, in any language.
    """

    id: Id
    label: Name
    labels: dict[Language, Name] = {}
    aliases: tuple[Phrase, ...] = Field((), max_length=100)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.label, *self.aliases, *self.labels.values())))


class Concept(Frozen):
    format: Literal["interviewsite/concept"] = "interviewsite/concept"
    version: Annotated[int, Field(ge=1, le=VERSION)] = VERSION
    id: Id
    name: Name
    language: Language = "en"  # of its texts and labels
    context: Context
    elements: tuple[Element, ...] = Field(min_length=1, max_length=60)

    def speaks(self, language: str) -> bool:
        """Return whether the topic and all elements have words in that language."""
        if matching_language([self.language], language):
            return True
        texts = (self.context.topics, *(element.labels for element in self.elements))
        return all(matching_language(text, language) for text in texts)

    def in_language(self, language: str) -> "Concept":
        """Return a copy with topic and labels in that language where it has them."""
        topic = _text_in(self.context.topics, language, self.context.topic)
        elements = tuple(
            one.model_copy(
                update={
                    "label": _text_in(one.labels, language, one.label),
                    "labels": {**one.labels, self.language: one.label},
                }
            )
            for one in self.elements
        )
        context = self.context.model_copy(update={"topic": topic})
        return self.model_copy(update={"context": context, "elements": elements})


def matching_language(languages: Iterable[str], language: str) -> str:
    """Return the language, or it without its region, whichever is there, or an empty string."""
    known = set(languages)
    return next((tag for tag in (language, language.split("-")[0]) if tag in known), "")


def _text_in(texts: Mapping[str, str], language: str, default: str) -> str:
    return texts.get(matching_language(texts, language), default)
