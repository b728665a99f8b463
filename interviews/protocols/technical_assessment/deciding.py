"""What comes of an answer: pure, and settled as soon as the deciding fields are read."""

from dataclasses import dataclass
from typing import Literal

from interviews.protocols.technical_assessment.hearing import Heard
from interviews.protocols.technical_assessment.here import Here, options_of
from interviews.protocols.technical_assessment.steering import Aim, aim_after

Way = Literal["stop", "aside", "rephrase", "ask", "end"]


@dataclass(frozen=True)
class Course:
    """Which way it goes; the aim of what is asked, if anything is."""

    way: Way
    aim: Aim | None = None


def course(now: Here, heard: Heard) -> Course:
    """A wish to stop is confirmed; questions back take no turn; else ask, or end at the limit."""
    match heard.what:
        case "stop":
            return Course("stop")
        case "aside":
            return Course("aside")
        case "clarify":
            asked = now.state.open
            return Course("rephrase", Aim(asked.topic, asked.level, manner="rephrase"))
    if now.state.answered + 1 >= options_of(now).max_turns:
        return Course("end")
    return Course("ask", aim_after(now, heard.analysis))
