from plans.models.bot import Bot, BotText
from plans.models.experiment import Experiment, ExperimentArm
from plans.models.knowledge import (
    BacklogQuestion,
    Document,
    DocumentFile,
    DocumentPart,
    ProjectContext,
)
from plans.models.ladder import LadderConcept, LadderFile, LadderMethodology
from plans.models.plan import Plan
from plans.models.script import Question, Script, Section
from plans.models.site import SiteIdentity
from plans.models.team import Team, TeamAccount
from plans.models.topic import DataField, Intelligence, RewardCode, SubGoal, Topic
