"""The admin of studies: a module per model, and one for each page that isn't a form.

The admin of models that only one protocol has is in its folder of plans.protocols.
"""

from plans.admin.bot import BotAdmin
from plans.admin.experiment import ExperimentAdmin
from plans.admin.plan import PlanAdmin
from plans.admin.script import ScriptAdmin, SectionAdmin
from plans.admin.site import SiteIdentityAdmin
from plans.admin.team import TeamAdmin
from plans.admin.topic import TopicAdmin
