"""How the time of a topic exploration is shared, for those who plan one."""

from dataclasses import dataclass

from plans.protocols.topic_exploration.content import SECONDS_A_TURN, base_turns


@dataclass(frozen=True)
class TurnBudget:
    """Turns in all and of each topic. A turn is a question with its answer."""

    minutes: int
    topics: int
    total: int
    least: int
    base: int
    most: int

    @property
    def too_short(self) -> bool:
        """Whether not every topic can get one turn in time."""
        return self.topics * SECONDS_A_TURN > self.minutes * 60

    @property
    def over(self) -> bool:
        """Whether the topics' usual turns would take longer than there is time."""
        return self.topics * self.base > self.total

    @property
    def needed(self) -> int:
        """Minutes in which every topic gets one turn."""
        return -(-self.topics * SECONDS_A_TURN // 60)

    @property
    def warning(self) -> str:
        if not self.too_short:
            return ""
        return (
            f"{self.topics} topics need {self.needed} minutes for one question each; there are "
            f"{self.minutes}. The last ones would come up only if people agree to go on."
        )


def budget(minutes: int, topics: int) -> TurnBudget:
    """The share of each of so many topics."""
    base = base_turns(minutes * 60, topics)
    return TurnBudget(minutes, topics, minutes * 60 // SECONDS_A_TURN, 1, base, base + 2)
