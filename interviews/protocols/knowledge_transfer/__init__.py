from interviews.protocols.knowledge_transfer.protocol import PROTOCOL

__all__ = ["PROTOCOL"]
