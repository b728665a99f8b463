"""Calibrate on questions held out of the interview.

answered_questions -> choose_questions -> remaining_transcript -> gather_knowledge -> an answer by
the replica, from notes only, by the average person -> judge_pairs -> means
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from llm.tasks.task import In, Task
from plans.jobs import JobFailed, PermanentFailure
from plans.text import tidy
from reflections.calibration import statistics
from reflections.calibration.holdout import (
    AnsweredQuestion,
    TooFew,
    answered_questions,
    choose_questions,
    remaining_transcript,
)
from reflections.calibration.judge import AnswerPair, judge_pairs, most_central
from reflections.calibration.knowledge import Knowledge, gather_knowledge
from reflections.calibration.llm_calls import ModelCaller, NoAnswer
from reflections.calibration.llm_tasks import (
    ANSWER,
    TYPICAL,
    AnswerInput,
    ReplicaAnswer,
    TypicalInput,
)
from reflections.calibration.types import (
    MAKERS,
    Baseline,
    CandidateAnswer,
    HeldOutOptions,
    HeldOutQuestion,
    HeldOutResult,
    Maker,
    Mean,
)
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import Finding, finding
from reflections.models import Expert

ENOUGH_OTHERS = 3


@dataclass(frozen=True)
class OtherAnswer:
    session: str
    positions: tuple[int, ...]
    text: str


Others = Mapping[str, Sequence[OtherAnswer]]  # by question key


async def measure(
    transcript: Transcript,
    script: Mapping[str, str],
    readers: Sequence[Expert],
    options: HeldOutOptions,
    others: Others,
    caller: ModelCaller,
) -> HeldOutResult:
    """Compare the replica's answers with what was really said to the questions held out.

    `script` maps a question's key to the plan's words. Raises PermanentFailure if too few
    questions were answered, JobFailed if models failed on more than half of those held out.
    """
    questions = answered_questions(transcript, script)
    try:
        held = choose_questions(questions, options)
    except TooFew as why:
        raise PermanentFailure(str(why)) from why
    rest = remaining_transcript(transcript, held, script)
    knowledge = await gather_knowledge(rest, readers, caller)
    pairs = await asyncio.gather(
        *(_candidates(one, others.get(one.key, ()), knowledge, caller) for one in held)
    )
    scored, findings = await judge_pairs(
        [p for three in pairs for p in three], options.seed, caller
    )
    results = [_question_result(one, len(others.get(one.key, ())), scored) for one in held]
    unscored = _unscored_findings(results)
    counted, seed = [one for one in results if one.counts], options.seed
    return HeldOutResult(
        language=knowledge.language,
        seed=seed,
        made_by=caller.made_by,
        reason=caller.reason,
        calls=caller.calls,
        knowing=knowledge.knowing,
        findings=(*knowledge.findings, *findings, *unscored),
        answered=len(questions),
        questions=tuple(results),
        agreement=statistics.compare(partial(_mean_score, counted, seed, "agreement")),
        likeness=statistics.compare(partial(_mean_score, counted, seed, "likeness")),
        lead={maker: _lead(counted, seed, maker) for maker in MAKERS[1:]},
    )


async def _candidates(
    question: AnsweredQuestion,
    others: Sequence[OtherAnswer],
    knowledge: Knowledge,
    caller: ModelCaller,
) -> tuple[AnswerPair, ...]:
    replica, notes, average = await asyncio.gather(
        _answer(ANSWER, AnswerInput(**dict(knowledge.whole), question=question.text), caller),
        _answer(ANSWER, AnswerInput(**dict(knowledge.only_notes), question=question.text), caller),
        _average_answer(question, others, knowledge.language, caller),
    )
    other, given = average
    pair = partial(AnswerPair, question=question.text, key=question.key, said=question.answer)
    words = other.text if other else given.answer
    return (
        pair(maker="replica", candidate=replica.answer, given=replica),
        pair(maker="notes", candidate=notes.answer, given=notes),
        pair(maker="average", candidate=words, given=given, own=other is None),
    )


async def _answer(task: Task[In, ReplicaAnswer], data: In, caller: ModelCaller) -> CandidateAnswer:
    try:
        return CandidateAnswer(answer=tidy((await caller.ask(task, data)).answer))
    except NoAnswer as why:
        return CandidateAnswer(failed=f"There was no answer: {why}")


async def _average_answer(
    question: AnsweredQuestion, others: Sequence[OtherAnswer], language: str, caller: ModelCaller
) -> tuple[OtherAnswer | None, CandidateAnswer]:
    if len(others) >= ENOUGH_OTHERS:
        other = others[most_central([other.text for other in others])]
        return other, CandidateAnswer(session=other.session, positions=other.positions)
    data = TypicalInput(language=language, question=question.text)
    return None, await _answer(TYPICAL, data, caller)


def _question_result(
    question: AnsweredQuestion, others: int, scored: Sequence[AnswerPair]
) -> HeldOutQuestion:
    baseline: Baseline = "others" if others >= ENOUGH_OTHERS else "typical"
    return HeldOutQuestion(
        key=question.key,
        section=question.section,
        text=question.text,
        positions=question.positions,
        given={pair.maker: pair.given for pair in scored if pair.key == question.key},
        baseline=baseline,
        others=others if baseline == "others" else 0,
    )


def _unscored_findings(results: Sequence[HeldOutQuestion]) -> list[Finding]:
    missing = [one for one in results if not one.counts]
    if len(missing) * 2 > len(results):
        why = next(one.given[m].failed for one in missing for m in MAKERS if one.given[m].failed)
        raise JobFailed(f"{len(missing)} of {len(results)} questions could not be scored. {why}.")
    return [_unscored_finding(one) for one in missing]


def _unscored_finding(one: HeldOutQuestion) -> Finding:
    why = "; ".join(dict.fromkeys(filter(None, (given.failed for given in one.given.values()))))
    return finding("unscored", f"“{one.key}” could not be scored and is in no mean. {why}.")


def _mean_score(counted: Sequence[HeldOutQuestion], seed: int, name: str, maker: Maker) -> Mean:
    return statistics.mean_of([getattr(one.given[maker], name) for one in counted], seed)


def _lead(counted: Sequence[HeldOutQuestion], seed: int, maker: Maker) -> Mean:
    scores = [(one.given["replica"].agreement, one.given[maker].agreement) for one in counted]
    return statistics.mean_of([(own or 0.0) - (other or 0.0) for own, other in scores], seed)
