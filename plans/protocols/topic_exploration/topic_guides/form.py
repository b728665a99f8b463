"""The form in which intelligence is read and written: three lists for each topic."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django import forms

from plans.forms.fields import ShortLines
from plans.models import Topic
from plans.protocols.topic_exploration.topic_guides.task import LISTS, LONGEST_ITEM, MOST_ITEMS

WORDS = {
    "interpretation_cues": ("How to read answers", "What a phrase stands for, what is left out."),
    "significance_signals": ("What deserves depth", "Signs that something mattered."),
    "probe_angles": (
        "Directions to follow up",
        "Noun phrases that fit after “Could you tell me more about …?”",
    ),
}


class IntelligenceForm(forms.Form):
    """Lists of all topics. `intelligence_form` adds the fields."""

    topics: tuple[Topic, ...] = ()

    def groups(self) -> Iterator[tuple[Topic, list[forms.BoundField]]]:
        """Each topic with its three fields."""
        for topic in self.topics:
            yield topic, [self[_field(topic, name)] for name in LISTS]

    def content(self) -> dict[str, dict[str, list[str]]]:
        """What the valid form says, by the keys of topics."""
        return {
            topic.key: {name: self.cleaned_data[_field(topic, name)] for name in LISTS}
            for topic in self.topics
        }


def intelligence_form(topics: Iterable[Topic], stored: Mapping[str, Any]) -> type[IntelligenceForm]:
    """The form class for these topics, with what is stored as initial values."""
    rows = tuple(topics)
    fields = {
        _field(topic, name): ShortLines(
            most=MOST_ITEMS,
            longest=LONGEST_ITEM,
            label=WORDS[name][0],
            required=False,
            initial=stored.get(topic.key, {}).get(name, []),
            help_text=WORDS[name][1],
        )
        for topic in rows
        for name in LISTS
    }
    return type("IntelligenceForm", (IntelligenceForm,), {**fields, "topics": rows})


def _field(topic: Topic, name: str) -> str:
    return f"{topic.key}__{name}"
