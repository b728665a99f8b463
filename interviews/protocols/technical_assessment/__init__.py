"""Technical assessment: an observer judges each answer, an interviewer asks on its advice."""

from interviews.protocols.technical_assessment.protocol import PROTOCOL

__all__ = ["PROTOCOL"]
