"""What participants get at the end, as a bot's options say it."""

from typing import Literal

from pydantic import Field

from plans.content.base import Frozen

RewardKind = Literal["none", "fixed", "pool", "redirect"]


class RewardOptions(Frozen):
    """What a participant gets at the end."""

    kind: RewardKind = Field("none", title="Reward", description="What people get at the end.")
    code: str = Field("", title="Code", description="The code that everybody gets.")
    url: str = Field(
        "",
        title="Address",
        description="Where people are sent. {PROLIFIC_PID} and other parameters that came with the "
        "link are filled in.",
    )
    early: bool = Field(
        False,
        title="Also for those who end early",
        description="Off: only who went through to the end gets it.",
    )
