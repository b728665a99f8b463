from interviews.protocols.diary.protocol import PROTOCOL

__all__ = ["PROTOCOL"]
