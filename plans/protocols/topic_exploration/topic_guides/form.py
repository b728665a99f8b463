from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django import forms

from plans.forms.fields import ShortLines
from plans.models import Topic
from plans.protocols.topic_exploration.topic_guides.task import LISTS, LONGEST_ITEM, MOST_ITEMS

LABELS = {
    "interpretation_cues": ("How to read answers", "What a phrase stands for, what is left out."),
    "significance_signals": ("What deserves depth", "Signs that something mattered."),
    "probe_angles": (
        "Directions to follow up",
        "Noun phrases that fit after “Could you tell me about …?”",
    ),
}


class IntelligenceForm(forms.Form):
    """Lists for all topics; `intelligence_form` adds the fields."""

    topics: tuple[Topic, ...] = ()

    def groups(self) -> Iterator[tuple[Topic, list[forms.BoundField]]]:
        for topic in self.topics:
            yield topic, [self[_field_name(topic, name)] for name in LISTS]

    def content(self) -> dict[str, dict[str, list[str]]]:
        return {
            topic.key: {name: self.cleaned_data[_field_name(topic, name)] for name in LISTS}
            for topic in self.topics
        }


def intelligence_form(topics: Iterable[Topic], stored: Mapping[str, Any]) -> type[IntelligenceForm]:
    rows = tuple(topics)
    fields = {
        _field_name(topic, name): ShortLines(
            most=MOST_ITEMS,
            longest=LONGEST_ITEM,
            label=label,
            required=False,
            initial=stored.get(topic.key, {}).get(name, []),
            help_text=help_text,
        )
        for topic in rows
        for name, (label, help_text) in LABELS.items()
    }
    return type("IntelligenceForm", (IntelligenceForm,), {**fields, "topics": rows})


def _field_name(topic: Topic, name: str) -> str:
    return f"{topic.key}__{name}"
