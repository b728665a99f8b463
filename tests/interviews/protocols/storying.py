"""A whole life story in the hand: no database, and a model that is a function."""

from dataclasses import dataclass
from typing import Any

from interviews.protocols.life_story.protocol import PROTOCOL
from interviews.protocols.life_story.state import LifeStoryState
from plans.protocols import PlanContent
from plans.protocols.life_story.content import LifeStoryMaterial
from tests.interviews.protocols.here import plan
from tests.interviews.protocols.leading import Leading


@dataclass
class Storying(Leading[LifeStoryState, LifeStoryMaterial]):
    protocol = PROTOCOL

    def planned(self) -> PlanContent[Any]:
        return plan().model_copy(update={"material": self.made, "languages": (self.language,)})
