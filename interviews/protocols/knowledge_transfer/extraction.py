"""The answer is read: how well it answers, what it tells, what it brings up."""

from interviews.engine.result import TaskCall
from interviews.protocols.knowledge_transfer import memory, rules
from interviews.protocols.knowledge_transfer.context import (
    TransferContext,
    options_of,
    project_of,
    root_of,
)
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


def inquiry(ctx: TransferContext) -> TaskCall:
    """The answer with its question and what is known about it."""
    asked = ctx.state.open
    data = TransferExtractInput(
        persona=ctx.plan.persona,
        language=ctx.language,
        project=project_of(ctx),
        handed_over_by=options_of(ctx).handed_over_by,
        sources=memory.sources(ctx, asked),
        backlog=memory.open_besides(ctx),
        known=memory.known(ctx),
        round=ctx.state.round,
        may_follow_up=may_follow(ctx),
        before=memory.before(ctx),
        root=root_of(ctx.state, asked).text,
        question=asked.asked,
        answer=ctx.answer,
    )
    return TaskCall(KEY, EXTRACT, data)
