"""What Claude models accept beyond the common request: temperature, thinking, effort.

An interview waits for every word, so thinking is off where a model allows that, and short where it
doesn't. Models that aren't listed get none of these options.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

from anthropic.types import ThinkingConfigParam

Effort = Literal["low", "medium", "high"]

OFF: Final[ThinkingConfigParam] = {"type": "disabled"}
NOT_BEFORE_ANSWERS: Final[ThinkingConfigParam] = {"type": "between_tools"}


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How to ask a model. Thinking counts as output and so needs room."""

    takes_temperature: bool = False
    thinking: ThinkingConfigParam | None = None
    effort: Effort | None = None
    thinking_room: int = 0


OPTIONS: Final = (
    (r"claude-sonnet-5-5", ModelOptions(thinking=NOT_BEFORE_ANSWERS)),
    (r"claude-(haiku-5|sonnet-5|opus-5(?!-5))", ModelOptions(thinking=OFF)),
    (r"claude-(opus-5-5|fable|mythos)", ModelOptions(effort="low", thinking_room=2_000)),
    (r"claude-opus-4-[78]", ModelOptions()),
    (r"claude-((opus|sonnet|haiku)-4|3|2|instant)", ModelOptions(takes_temperature=True)),
)


def options_for(model: str) -> ModelOptions:
    """Return the model's options; prefixes such as a cloud's `anthropic.` don't matter."""
    for pattern, options in OPTIONS:
        if re.search(pattern, model):
            return options
    return ModelOptions()
