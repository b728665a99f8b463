"""The admin of what ladderings rest on: files that say what to explore, and how.

base         what both share: the text with what is wrong in it, files in and out, history
concept, methodology   the two models
previewing   what a file, or a bot with its two, comes to
"""

from plans.admin.ladders.concept import LadderConceptAdmin
from plans.admin.ladders.methodology import LadderMethodologyAdmin

__all__ = ["LadderConceptAdmin", "LadderMethodologyAdmin"]
