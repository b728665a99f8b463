"""Facts and the backlog in the admin of interviews.

facts           the list of facts and the page of one
fact_details    facts with what they come from; beside it filters, forms and the merge page
backlog         the backlog on the page of an interview
"""

from interviews.admin.sessions import SessionAdmin
from interviews.protocols.knowledge_transfer.admin.backlog import BacklogExtension
from interviews.protocols.knowledge_transfer.admin.facts import FactAdmin

__all__ = ["FactAdmin"]

SessionAdmin.extend(BacklogExtension())
