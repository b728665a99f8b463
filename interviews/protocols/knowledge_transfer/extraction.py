from interviews.engine.result import TaskCall
from interviews.protocols.knowledge_transfer import memory, rules
from interviews.protocols.knowledge_transfer.context import TransferContext, project_name, root_of
from interviews.protocols.knowledge_transfer.follow_ups import may_follow_up
from interviews.protocols.knowledge_transfer.tasks import (
    PROMPTS,
    TEMPERATURE,
    TransferExtractInput,
    TransferExtraction,
)
from llm.tasks.outcome import OFFLINE, Outcome, Source
from llm.tasks.task import Task, Tier

KEY = "extract"
EXTRACT: Task[TransferExtractInput, TransferExtraction] = Task(
    name="knowledge_transfer.extract",
    tier=Tier.MAIN,
    template=PROMPTS / "extract.md",
    input=TransferExtractInput,
    output=TransferExtraction,
    fallback=rules.extract,
    timeout=20.0,  # many facts take long to write, and nobody waits for the last ones
    max_tokens=1_500,
    temperature=TEMPERATURE,
)


def is_judged(result: Outcome[TransferExtraction]) -> bool:
    """Return whether it was judged: by a model, or by rules on a site that has none."""
    return result.source is not Source.FALLBACK or result.reason == OFFLINE


def counted(ctx: TransferContext, result: Outcome[TransferExtraction]) -> TransferExtraction:
    """Return what counts of it: rules ask no follow-up in place of a model that has failed."""
    by_rules = result.source is Source.FALLBACK
    if not by_rules or (is_judged(result) and ctx.reading.intent != "dont_know"):
        return result.value
    return result.value.model_copy(update={"follow_up": None})


def extract_call(ctx: TransferContext) -> TaskCall:
    asked = ctx.state.open
    data = TransferExtractInput(
        persona=ctx.plan.persona,
        language=ctx.language,
        project=project_name(ctx),
        handed_over_by=ctx.material.options.handed_over_by,
        sources=memory.sources(ctx, asked),
        backlog=memory.unasked_questions(ctx),
        known=memory.known_facts(ctx),
        round=ctx.state.round,
        may_follow_up=may_follow_up(ctx),
        before=memory.parent_exchange(ctx),
        root=root_of(ctx.state, asked).text,
        closed=list(ctx.state.closed),
        question=ctx.state.reworded or asked.asked,
        answer=ctx.answer,
    )
    return TaskCall(KEY, EXTRACT, data)
