"""A whole calibration by questions held out.

answered -> chosen -> remaining -> known -> replica, notes only, average -> judged -> means
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from plans.jobs import JobFailed, PermanentFailure
from plans.text import tidy
from reflections.calibration import statistics
from reflections.calibration.holdout import AnsweredQuestion, TooFew, answered, chosen, remaining
from reflections.calibration.judge import AnswerPair, judged
from reflections.calibration.knowledge import ExpertReader, Knowledge, known
from reflections.calibration.llm_calls import ModelCaller, NoAnswer
from reflections.calibration.llm_tasks import (
    ANSWER,
    TYPICAL,
    AnswerInput,
    PersonInput,
    TypicalInput,
)
from reflections.calibration.similarity import most_central
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
from reflections.evidence.types import Finding

ENOUGH_OTHERS = 3


@dataclass(frozen=True)
class OtherAnswer:
    """What another participant answered to a question, and where that stands."""

    session: str
    positions: tuple[int, ...]
    text: str


@dataclass(frozen=True)
class HeldOutInterview:
    """All that a calibration by questions rests on. `script`: question's key -> plan's words."""

    transcript: Transcript
    script: Mapping[str, str]
    readers: tuple[ExpertReader, ...] = ()
    others: Mapping[str, Sequence[OtherAnswer]] = field(
        default_factory=dict
    )  # by the question's key


async def measured(
    interview: HeldOutInterview, options: HeldOutOptions, asker: ModelCaller
) -> HeldOutResult:
    """How well the replica answers what was held out.

    Raises PermanentFailure where too little was answered, JobFailed where models failed at too
    much.
    """
    questions = answered(interview.transcript, interview.script)
    try:
        held = chosen(questions, options)
    except TooFew as why:
        raise PermanentFailure(str(why)) from why
    rest = remaining(interview.transcript, held, interview.script)
    knowledge = await known(rest, interview.readers, asker)
    pairs = await asyncio.gather(*(_pairs(one, interview, knowledge, asker) for one in held))
    scored, found = await judged([p for three in pairs for p in three], options.seed, asker)
    made = [_held(one, interview, scored) for one in held]
    left_out = _left_out(made)
    return _composed(
        made,
        options,
        asker,
        knowledge=knowledge,
        answered=len(questions),
        findings=(*knowledge.findings, *found, *left_out),
    )


async def _pairs(
    one: AnsweredQuestion, interview: HeldOutInterview, knowledge: Knowledge, asker: ModelCaller
) -> tuple[AnswerPair, ...]:
    """The three candidates for one question."""
    replica, notes, average = await asyncio.gather(
        _answer(one, knowledge.whole, asker),
        _answer(one, knowledge.only_notes, asker),
        _average(one, interview, knowledge.language, asker),
    )
    other, given = average
    pair = partial(AnswerPair, question=one.text, key=one.key, said=one.answer)
    words = other.text if other else given.answer
    return (
        pair(maker="replica", candidate=replica.answer, given=replica),
        pair(maker="notes", candidate=notes.answer, given=notes),
        pair(maker="average", candidate=words, given=given, own=other is None),
    )


async def _answer(one: AnsweredQuestion, about: PersonInput, asker: ModelCaller) -> CandidateAnswer:
    data = AnswerInput(**dict(about), question=one.text)
    try:
        return CandidateAnswer(answer=_kept((await asker.ask(ANSWER, data)).answer))
    except NoAnswer as why:
        return CandidateAnswer(failed=f"There was no answer: {why}")


async def _average(
    one: AnsweredQuestion, interview: HeldOutInterview, language: str, asker: ModelCaller
) -> tuple[OtherAnswer | None, CandidateAnswer]:
    """The most usual answer of other participants, else that of a typical person."""
    others = interview.others.get(one.key, ())
    if len(others) >= ENOUGH_OTHERS:
        other = others[most_central([other.text for other in others])]
        return other, CandidateAnswer(session=other.session, positions=other.positions)
    data = TypicalInput(language=language, question=one.text)
    try:
        return None, CandidateAnswer(answer=_kept((await asker.ask(TYPICAL, data)).answer))
    except NoAnswer as why:
        return None, CandidateAnswer(failed=f"There was no answer: {why}")


def _kept(answer: str) -> str:
    return tidy(answer)


def _held(
    one: AnsweredQuestion, interview: HeldOutInterview, scored: Sequence[AnswerPair]
) -> HeldOutQuestion:
    others = len(interview.others.get(one.key, ()))
    baseline: Baseline = "others" if others >= ENOUGH_OTHERS else "typical"
    return HeldOutQuestion(
        key=one.key,
        section=one.section,
        text=one.text,
        positions=one.positions,
        given={pair.maker: pair.given for pair in scored if pair.key == one.key},
        baseline=baseline,
        others=others if baseline == "others" else 0,
    )


def _left_out(made: Sequence[HeldOutQuestion]) -> list[Finding]:
    """The questions without all scores. Raises JobFailed where they are more than half."""
    missing = [one for one in made if not one.counts]
    if len(missing) * 2 > len(made):
        why = next(one.given[m].failed for one in missing for m in MAKERS if one.given[m].failed)
        raise JobFailed(f"{len(missing)} of {len(made)} questions could not be scored. {why}.")
    return [_unscored(one) for one in missing]


def _unscored(one: HeldOutQuestion) -> Finding:
    why = "; ".join(dict.fromkeys(filter(None, (given.failed for given in one.given.values()))))
    text = f"“{one.key}” could not be scored and is in no mean. {why}."
    return Finding(check="unscored", weight="notable", text=text)


def _composed(
    made: Sequence[HeldOutQuestion],
    options: HeldOutOptions,
    asker: ModelCaller,
    *,
    knowledge: Knowledge,
    answered: int,
    findings: tuple[Finding, ...],
) -> HeldOutResult:
    counted = [one for one in made if one.counts]
    return HeldOutResult(
        language=knowledge.language,
        seed=options.seed,
        made_by=asker.made_by,
        reason=asker.reason,
        calls=asker.calls,
        knowing=knowledge.knowing,
        findings=findings,
        answered=answered,
        questions=tuple(made),
        agreement=statistics.compared(partial(_mean, counted, options.seed, "agreement")),
        likeness=statistics.compared(partial(_mean, counted, options.seed, "likeness")),
        lead={maker: _lead(counted, options.seed, maker) for maker in MAKERS[1:]},
    )


def _mean(counted: Sequence[HeldOutQuestion], seed: int, name: str, maker: Maker) -> Mean:
    return statistics.mean_of([getattr(one.given[maker], name) for one in counted], seed)


def _lead(counted: Sequence[HeldOutQuestion], seed: int, maker: Maker) -> Mean:
    return statistics.mean_of(
        [_score(one, "replica") - _score(one, maker) for one in counted], seed
    )


def _score(one: HeldOutQuestion, maker: Maker) -> float:
    return one.given[maker].agreement or 0.0
