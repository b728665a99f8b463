"""The admin's side of preparing a knowledge transfer.

documents  all documents of a bot: taken in, watched
document   one of them: what was found in it, and its text
summary    what they say together
backlog    the questions
"""

from plans.admin.knowledge.backlog import BacklogActions
from plans.admin.knowledge.document import DocumentAdmin
from plans.admin.knowledge.documents import DocumentsActions
from plans.admin.knowledge.summary import SummaryActions

__all__ = ["BacklogActions", "DocumentAdmin", "DocumentsActions", "SummaryActions"]
