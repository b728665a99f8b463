"""Life story: a scripted, adaptive interview about one person's life."""

from interviews.protocols.life_story.protocol import PROTOCOL

__all__ = ["PROTOCOL"]
