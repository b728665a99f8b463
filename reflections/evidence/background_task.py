from pathlib import Path

from llm.gateway import ask
from llm.tasks.call_context import CallContext
from llm.tasks.outcome import Outcome
from llm.tasks.task import In, Out, Retries, Task, Tier
from plans.jobs import JobFailed

SECONDS = 90.0  # that one call is waited for
WRITES, JUDGES = 0.2, 0.0  # temperatures


def background_task(
    name: str,
    template: Path,
    input: type[In],
    empty: Out,
    max_tokens: int,
    *,
    tier: Tier = Tier.MAIN,
    seconds: float = SECONDS,
    temperature: float = WRITES,
) -> Task[In, Out]:
    """Return a task that nobody waits for; `empty` stands in where no model answers."""
    return Task(
        name=name,
        tier=tier,
        template=template,
        input=input,
        output=type(empty),
        fallback=lambda data: empty,
        timeout=seconds,
        max_tokens=max_tokens,
        temperature=temperature,
        retries=Retries((1.0,), 2 * seconds, 0.0),
    )


async def ask_or_fail(
    task: Task[In, Out], data: In, context: CallContext, what: str
) -> Outcome[Out]:
    """Return what a model answers. Raises JobFailed, “No model {what}”, where none does."""
    outcome = await ask(task, data, context)
    if not outcome.by_model:
        raise JobFailed(f"No model {what}: {outcome.reason}.")
    return outcome
