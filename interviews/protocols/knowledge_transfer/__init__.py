"""Knowledge transfer: a backlog of questions to somebody who hands over, and what comes up."""

from interviews.protocols.knowledge_transfer.protocol import PROTOCOL

__all__ = ["PROTOCOL"]
