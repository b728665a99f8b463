from interviews.protocols.technical_assessment.protocol import PROTOCOL

__all__ = ["PROTOCOL"]
