from interviews.engine.protocol import AnyProtocol
from interviews.protocols.knowledge_transfer.protocol import PROTOCOL as KNOWLEDGE_TRANSFER
from interviews.protocols.laddering.protocol import PROTOCOL as LADDERING
from interviews.protocols.life_story.protocol import PROTOCOL as LIFE_STORY
from interviews.protocols.technical_assessment.protocol import PROTOCOL as TECHNICAL_ASSESSMENT
from interviews.protocols.topic_exploration.protocol import PROTOCOL as TOPIC_EXPLORATION

PROTOCOLS: dict[str, AnyProtocol] = {
    protocol.name: protocol
    for protocol in (
        LIFE_STORY,
        TOPIC_EXPLORATION,
        TECHNICAL_ASSESSMENT,
        KNOWLEDGE_TRANSFER,
        LADDERING,
    )
}
