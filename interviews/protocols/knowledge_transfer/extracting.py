"""The answer is read: how well it answers, what it tells, what it brings up."""

from interviews.engine.types import Inquiry
from interviews.protocols.knowledge_transfer import remembering, rules
from interviews.protocols.knowledge_transfer.following import may_follow
from interviews.protocols.knowledge_transfer.here import Here, options_of, project_of, root_of
from interviews.protocols.knowledge_transfer.tasks import (
    PROMPTS,
    TEMPERATURE,
    ExtractInput,
    Extraction,
)
from llm.task import Task, Tier

KEY = "extract"
EXTRACT: Task[ExtractInput, Extraction] = Task(
    name="knowledge_transfer.extract",
    tier=Tier.MAIN,
    template=PROMPTS / "extract.md",
    input=ExtractInput,
    output=Extraction,
    fallback=rules.extract,
    timeout=20.0,  # many facts take long to write, and nobody waits for the last of them
    max_tokens=1_500,
    temperature=TEMPERATURE,
)


def inquiry(now: Here) -> Inquiry:
    """The answer with its question and what is known about it."""
    asked = now.state.open
    data = ExtractInput(
        persona=now.plan.persona,
        language=now.language,
        project=project_of(now),
        handed_over_by=options_of(now).handed_over_by,
        sources=remembering.sources(now, asked),
        backlog=remembering.open_besides(now),
        known=remembering.known(now),
        round=now.state.round,
        may_follow_up=may_follow(now),
        before=remembering.before(now),
        root=root_of(now.state, asked).text,
        question=asked.asked,
        answer=now.answer,
    )
    return Inquiry(KEY, EXTRACT, data)
