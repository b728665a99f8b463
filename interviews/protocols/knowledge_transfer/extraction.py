"""Reading an answer: the model's task, and what stands in without a model.

Rules only tell a short or empty answer from a long and concrete one: they make no facts of it, and
discover no questions. The answer stands beside its question.
"""

from collections.abc import Mapping
from typing import Any

from interviews.engine.language.intents import meaning, tells_nothing
from interviews.engine.language.sentences import single_spaced
from interviews.engine.language.wishes import clauses
from interviews.engine.reading import lowercase
from interviews.engine.replies import as_asked
from interviews.engine.result import TaskCall
from interviews.engine.signal import concrete, word_count
from interviews.protocols.knowledge_transfer import memory
from interviews.protocols.knowledge_transfer.context import (
    FOLLOW_UP,
    TransferContext,
    is_closed,
    project_name,
    root_of,
    rounds_left,
    say,
)
from interviews.protocols.knowledge_transfer.tasks import (
    PROMPTS,
    TEMPERATURE,
    Confidence,
    TransferExtractInput,
    TransferExtraction,
)
from llm.tasks.outcome import Outcome
from llm.tasks.task import Task, Tier

TINY_WORDS, RICH_WORDS = 6, 25  # up to the first: low; from the second on, with details: high
USELESS = ("dont_know", "off_topic")


def extract(data: TransferExtractInput) -> TransferExtraction:
    confidence = _confidence(data)
    useful = not says_nothing(data.answer, data.language, data.question)
    enough = confidence == "high" or (useful and _points_elsewhere(data))
    follow = None if enough else follow_up(data, confidence)
    return TransferExtraction(confidence=confidence, follow_up=follow)


def says_nothing(answer: str, language: str, question: str) -> bool:
    """Return whether nothing in it is of use: "it depends", "nobody knows", an order to the bot."""
    if meaning(answer, language, question) in USELESS:
        return True
    return all(tells_nothing(clause, language, question) for clause in clauses(answer))


def _points_elsewhere(data: TransferExtractInput) -> bool:
    """Return whether they don't know and say something besides: "I don't know, ask Maria"."""
    if word_count(data.answer, data.language) >= RICH_WORDS:
        return False
    return any(
        meaning(clause, data.language, data.question) == "dont_know"
        for clause in clauses(data.answer)
    )


def follow_up(data: TransferExtractInput, confidence: Confidence) -> str:
    turn = data.round // 2  # as a rule every second round is a follow-up, and wordings take turns
    if confidence == "medium":
        first = data.root in data.question  # rules can't tell what is private: it must fit anything
        return say(data.language, "more" if first else "probe", turn)
    document = next((source.document for source in data.sources), "")
    key = "angle_in" if document else "angle"
    return say(data.language, key, turn, document=document)


def _confidence(data: TransferExtractInput) -> Confidence:
    words = word_count(data.answer, data.language)
    if words <= TINY_WORDS or says_nothing(data.answer, data.language, data.question):
        return "low"
    rich = words >= RICH_WORDS and concrete(data.answer, data.language)
    return "high" if rich else "medium"


KEY = "extract"
EXTRACT: Task[TransferExtractInput, TransferExtraction] = Task(
    name="knowledge_transfer.extract",
    tier=Tier.MAIN,
    template=PROMPTS / "extract.md",
    input=TransferExtractInput,
    output=TransferExtraction,
    fallback=extract,
    timeout=20.0,  # many facts take long to write, and nobody waits for the last ones
    max_tokens=1_500,
    temperature=TEMPERATURE,
)


def counted(ctx: TransferContext, result: Outcome[TransferExtraction]) -> TransferExtraction:
    """Return what counts of it: rules ask no follow-up in place of a model that has failed."""
    if result.by_model or (result.is_judged and ctx.reading.intent != "dont_know"):
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
        question=as_asked(ctx, ctx.state.reworded or asked.asked),
        answer=ctx.answer,
    )
    return TaskCall(KEY, EXTRACT, data)


def may_follow_up(ctx: TransferContext) -> bool:
    state = ctx.state
    root = root_of(state, state.open)
    used = [i for i in state.items if i.origin == FOLLOW_UP and root_of(state, i).id == root.id]
    return len(used) < ctx.material.options.follow_ups and rounds_left(ctx, state) > 0


def follow_up_comes(ctx: TransferContext, read: Mapping[str, Any]) -> bool | None:
    """Return whether the extraction, as far as it is written, has a follow-up; None: not certain.

    A high answer gets none, nor does something hard, whatever else is written. Whoever doesn't
    know is asked who would.
    """
    if not may_follow_up(ctx) or ctx.reading.care != "none":
        return False
    if ctx.reading.intent == "dont_know":
        return True if _written(read) or "facts" in read else None
    match lowercase(read.get("confidence")):
        case "high":
            return False
        case "medium" | "low" if "follow_up" in read:
            if text := _written(read):
                return not is_closed(ctx, ctx.state, text)
            # empty text, until the next field follows
            return False if read["follow_up"] is None or "facts" in read else None
    return None


def follow_up_text(ctx: TransferContext, read: Mapping[str, Any]) -> str:
    if ctx.reading.intent != "dont_know":
        return _written(read)
    text = _written(read)
    return text if text and not is_closed(ctx, ctx.state, text) else who_knows(ctx)


def who_knows(ctx: TransferContext) -> str:
    return say(ctx.language, "who_knows", ctx.state.round)


def _written(read: Mapping[str, Any]) -> str:
    return single_spaced(str(read.get("follow_up") or ""))
