from interviews.exports.registry import register
from interviews.protocols.knowledge_transfer.exports.backlog import BACKLOG
from interviews.protocols.knowledge_transfer.exports.facts import FACTS

register(BACKLOG, FACTS, position=60)
