from interviews.protocols.topic_exploration.protocol import PROTOCOL

__all__ = ["PROTOCOL"]
