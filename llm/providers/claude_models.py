"""What Claude models accept beyond the common request: temperature, thinking, effort.

An interview waits for every word, so thinking is turned off where a model lets it be, and kept
short where it does not. A model that is not listed is asked without any of these.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

from anthropic.types import ThinkingConfigParam

Effort = Literal["low", "medium", "high"]

OFF: Final[ThinkingConfigParam] = {"type": "disabled"}
NOT_BEFORE_ANSWERS: Final[ThinkingConfigParam] = {"type": "between_tools"}


@dataclass(frozen=True, slots=True)
class Manner:
    """How a model wants to be asked; thinking counts as output, hence the room for it."""

    takes_temperature: bool = False
    thinking: ThinkingConfigParam | None = None
    effort: Effort | None = None
    thinking_room: int = 0


MANNERS: Final = (
    (r"claude-sonnet-5-5", Manner(thinking=NOT_BEFORE_ANSWERS)),
    (r"claude-(haiku-5|sonnet-5|opus-5(?!-5))", Manner(thinking=OFF)),
    (r"claude-(opus-5-5|fable|mythos)", Manner(effort="low", thinking_room=2_000)),
    (r"claude-opus-4-[78]", Manner()),
    (r"claude-((opus|sonnet|haiku)-4|3|2|instant)", Manner(takes_temperature=True)),
)


def manner(model: str) -> Manner:
    """How to ask `model`; prefixes such as a cloud's `anthropic.` are passed over."""
    for pattern, how in MANNERS:
        if re.search(pattern, model):
            return how
    return Manner()
