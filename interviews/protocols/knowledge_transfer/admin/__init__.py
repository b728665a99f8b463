from interviews.admin.sessions import SessionAdmin
from interviews.protocols.knowledge_transfer.admin.backlog import BacklogExtension
from interviews.protocols.knowledge_transfer.admin.facts import FactAdmin

__all__ = ["FactAdmin"]

SessionAdmin.extend(BacklogExtension())
