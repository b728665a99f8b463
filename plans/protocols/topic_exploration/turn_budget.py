from dataclasses import dataclass

from plans.protocols.topic_exploration.content import SECONDS_A_TURN, base_turns


@dataclass(frozen=True)
class TurnBudget:
    """How many turns there are in all, and per topic; a turn is a question with its answer."""

    minutes: int
    topics: int
    total: int
    least: int
    base: int
    most: int

    @property
    def too_short(self) -> bool:
        return self.topics * SECONDS_A_TURN > self.minutes * 60

    @property
    def over(self) -> bool:
        return self.topics * self.base > self.total

    @property
    def needed(self) -> int:
        return -(-self.topics * SECONDS_A_TURN // 60)

    @property
    def warning(self) -> str:
        if not self.too_short:
            return ""
        return (
            f"{self.topics} topics need {self.needed} minutes for one question each; there are "
            f"{self.minutes}. The last ones would come up only if people agree to go on."
        )


def turn_budget(minutes: int, topics: int) -> TurnBudget:
    base = base_turns(minutes * 60, topics)
    return TurnBudget(minutes, topics, minutes * 60 // SECONDS_A_TURN, 1, base, base + 2)
