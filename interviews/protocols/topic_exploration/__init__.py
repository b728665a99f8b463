"""Topic exploration: ordered topics with sub-goals; turns go where there is more to say."""

from interviews.protocols.topic_exploration.protocol import PROTOCOL

__all__ = ["PROTOCOL"]
