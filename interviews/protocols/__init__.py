from interviews.engine.protocol import AnyProtocol
from interviews.protocols import (
    knowledge_transfer,
    laddering,
    life_story,
    technical_assessment,
    topic_exploration,
)

PROTOCOLS: dict[str, AnyProtocol] = {
    "life_story": life_story.PROTOCOL,
    "topic_exploration": topic_exploration.PROTOCOL,
    "technical_assessment": technical_assessment.PROTOCOL,
    "knowledge_transfer": knowledge_transfer.PROTOCOL,
    "laddering": laddering.PROTOCOL,
}
