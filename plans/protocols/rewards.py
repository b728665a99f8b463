from typing import Literal

from pydantic import Field

from plans.protocols.plan_content import Frozen, option

RewardKind = Literal["none", "fixed", "pool", "redirect"]
EarlyKind = Literal["same", "fixed", "pool", "redirect"]


class RewardOptions(Frozen):
    """What a participant gets at the end.

    Fields added later are left out of a plan while they have their defaults, so that bots that
    don't use them keep the same plan.
    """

    kind: RewardKind = option("none", "Reward", "What people get at the end.")
    code: str = option("", "Code", "The code everybody gets.")
    url: str = option(
        "",
        "Address",
        "Where people are sent. {PROLIFIC_PID} and other parameters from the link are filled in.",
    )
    early: bool = option(
        False, "Also for those who end early", "If off, only people who reach the end get a reward."
    )
    early_kind: EarlyKind = option(
        "same",
        "Reward for ending early",
        "A separate code or address lets the panel tell them apart.",
        exclude_if=lambda kind: kind == "same",
    )
    early_code: str = option(
        "",
        "Code for those who end early",
        "The code everybody who ends early gets.",
        exclude_if=lambda code: not code,
    )
    early_url: str = option(
        "",
        "Address for those who end early",
        "Where they are sent. Parameters are filled in as above.",
        exclude_if=lambda url: not url,
    )

    def due(self, early: bool) -> "RewardOptions":
        """Return the reward for finishing, or for ending early; kind none means nothing."""
        if not early or self.kind == "none":
            return self
        if not self.early:
            return NOTHING
        if self.early_kind == "same":
            return self
        return RewardOptions(kind=self.early_kind, code=self.early_code, url=self.early_url)


NOTHING = RewardOptions()


class OptionsOfAnyBot(Frozen):
    """Options that every kind of bot has; while they have their defaults, plans leave them out."""

    masks_contact_data: bool = option(
        True,
        "Mask contact data in answers",
        "E-mail addresses and phone numbers that people mention are stored encrypted, and a mark "
        "stands in their place everywhere. Switch it off only for studies that are about them, "
        "such as a handover of contacts.",
        exclude_if=lambda masks: masks,
    )
    reward: RewardOptions = Field(NOTHING, exclude_if=lambda reward: reward == NOTHING)
