"""The admin of studies: a file per model, and one for each page of its own.

base       what all of them share
script, section, bot, topic, plan     the models
bot_page   what a protocol brings to the pages of its bots; bot_pages has all of them
pages      preview, history, versions
imports    a file, what it would change, and the change
exports    files out

The admin of models that only one protocol has is in its folder of plans.protocols.
"""

from plans.admin.bot import BotAdmin
from plans.admin.plan import PlanAdmin
from plans.admin.script import ScriptAdmin
from plans.admin.section import SectionAdmin
from plans.admin.topic import TopicAdmin

__all__ = ["BotAdmin", "PlanAdmin", "ScriptAdmin", "SectionAdmin", "TopicAdmin"]
