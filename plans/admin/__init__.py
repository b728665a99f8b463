"""The admin of studies: a file per model, and one for each page of its own.

base       what all of them share
script, section, bot, topic, plan     the models
kinds      what the page of a bot holds, by its kind of interview
knowledge  documents, summary and backlog of a knowledge transfer
ladders    concepts and methodologies of ladderings
pages      preview, history, versions
preparing  intelligence: watched, read, written
rewarding  reward codes
importing  a file, what it would change, and the change
exporting  files out
"""

from plans.admin.bot import BotAdmin
from plans.admin.knowledge import DocumentAdmin
from plans.admin.ladders import LadderConceptAdmin, LadderMethodologyAdmin
from plans.admin.plan import PlanAdmin
from plans.admin.script import ScriptAdmin
from plans.admin.section import SectionAdmin
from plans.admin.topic import TopicAdmin

__all__ = [
    "BotAdmin",
    "DocumentAdmin",
    "LadderConceptAdmin",
    "LadderMethodologyAdmin",
    "PlanAdmin",
    "ScriptAdmin",
    "SectionAdmin",
    "TopicAdmin",
]
