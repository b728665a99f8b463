from interviews.protocols.life_story.protocol import PROTOCOL

__all__ = ["PROTOCOL"]
