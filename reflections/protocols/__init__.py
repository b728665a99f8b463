"""The protocols whose results are special, one line each."""

from reflections.products import ProtocolResults
from reflections.protocols import knowledge_transfer, laddering, technical_assessment

PROTOCOLS: dict[str, ProtocolResults] = {
    "technical_assessment": technical_assessment.RESULTS,
    "knowledge_transfer": knowledge_transfer.RESULTS,
    "laddering": laddering.RESULTS,
}
