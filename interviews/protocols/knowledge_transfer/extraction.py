"""The answer is read: how well it answers, what it tells, what it brings up."""

from interviews.engine.types import TaskCall
from interviews.protocols.knowledge_transfer import memory, rules
from interviews.protocols.knowledge_transfer.context import Here, options_of, project_of, root_of
from interviews.protocols.knowledge_transfer.follow_ups import may_follow
from interviews.protocols.knowledge_transfer.tasks import (
    PROMPTS,
    TEMPERATURE,
    TransferExtractInput,
    TransferExtraction,
)
from llm.tasks.task import Task, Tier

KEY = "extract"
EXTRACT: Task[TransferExtractInput, TransferExtraction] = Task(
    name="knowledge_transfer.extract",
    tier=Tier.MAIN,
    template=PROMPTS / "extract.md",
    input=TransferExtractInput,
    output=TransferExtraction,
    fallback=rules.extract,
    timeout=20.0,  # many facts take long to write, and nobody waits for the last of them
    max_tokens=1_500,
    temperature=TEMPERATURE,
)


def inquiry(now: Here) -> TaskCall:
    """The answer with its question and what is known about it."""
    asked = now.state.open
    data = TransferExtractInput(
        persona=now.plan.persona,
        language=now.language,
        project=project_of(now),
        handed_over_by=options_of(now).handed_over_by,
        sources=memory.sources(now, asked),
        backlog=memory.open_besides(now),
        known=memory.known(now),
        round=now.state.round,
        may_follow_up=may_follow(now),
        before=memory.before(now),
        root=root_of(now.state, asked).text,
        question=asked.asked,
        answer=now.answer,
    )
    return TaskCall(KEY, EXTRACT, data)
