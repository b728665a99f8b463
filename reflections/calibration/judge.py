"""How far candidates agree with what was said: by a model that doesn't know whose they are, and by
the words they share."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reflections.calibration.injection import without_orders
from reflections.calibration.llm_calls import ModelCaller, NoAnswer
from reflections.calibration.llm_tasks import JUDGE, JudgeInput, ReplicaAgreement
from reflections.calibration.similarity import likeness
from reflections.calibration.types import CandidateAnswer, Maker
from reflections.evidence.types import Finding

SCORES = {"none": 0.0, "partial": 0.5, "full": 1.0}
NOTHING_SAID = "It says nothing."


@dataclass(frozen=True)
class AnswerPair:
    """A candidate's answer to a question beside what was said. `own` is False where the candidate
    is another participant's: their words are not kept."""

    question: str
    key: str
    maker: Maker
    said: str
    candidate: str
    given: CandidateAnswer
    own: bool = True


async def judged(
    pairs: Sequence[AnswerPair], seed: int, asker: ModelCaller
) -> tuple[list[AnswerPair], tuple[Finding, ...]]:
    """The same pairs with their scores, in the same order, and what was left out of the judging.

    They are judged one by one and in an order by chance, so that no place tells whose one is.
    """
    clean = [_without_orders(pair) for pair in pairs]
    order = list(range(len(pairs)))
    random.Random(seed).shuffle(order)  # noqa: S311  (a draw that can be made again)
    scored = await asyncio.gather(*(_scored(clean[place][0], asker) for place in order))
    by_place = dict(zip(order, scored, strict=True))
    found = dict.fromkeys(finding for _, findings in clean for finding in findings)
    return [by_place[place] for place in range(len(pairs))], tuple(found)


def _without_orders(pair: AnswerPair) -> tuple[AnswerPair, tuple[Finding, ...]]:
    said, first = without_orders(pair.said)
    candidate, second = without_orders(pair.candidate)
    where = {"what was said": first, "an answer that was scored": second}
    findings = tuple(_order(name, pair.key, text) for name, all_ in where.items() for text in all_)
    return replace(pair, said=said, candidate=candidate), findings


def _order(where: str, key: str, text: str) -> Finding:
    said = f"A sentence in {where} to “{key}” speaks to whoever scores. It was left out of that."
    return Finding(check="order", weight="notable", text=said)


async def _scored(pair: AnswerPair, asker: ModelCaller) -> AnswerPair:
    if not pair.candidate.strip() or pair.given.failed:
        return _with(pair, _nothing(pair.given))
    data = JudgeInput(question=pair.question, said=pair.said, candidate=pair.candidate)
    try:
        found: ReplicaAgreement = await asker.ask(JUDGE, data, wordless=not pair.own)
    except NoAnswer as why:
        return _with(pair, pair.given.model_copy(update={"failed": f"It was not judged: {why}"}))
    changes = {
        "agreement": SCORES[found.agreement],
        "likeness": likeness(pair.said, pair.candidate),
        "why": found.why if pair.own else "",
    }
    return _with(pair, pair.given.model_copy(update=changes))


def _nothing(given: CandidateAnswer) -> CandidateAnswer:
    """An empty answer agrees with nothing; one that failed has no score."""
    if given.failed:
        return given
    return given.model_copy(update={"agreement": 0.0, "likeness": 0.0, "why": NOTHING_SAID})


def _with(pair: AnswerPair, given: CandidateAnswer) -> AnswerPair:
    return replace(pair, given=given)
