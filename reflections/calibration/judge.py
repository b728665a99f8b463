"""Score how far candidates' answers agree with what was said.

A model compares them without knowing whose they are; words in common are counted by rules.
"""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reflections.calibration.holdout import WORD, split_orders
from reflections.calibration.llm_calls import ModelCaller, NoAnswer
from reflections.calibration.llm_tasks import JUDGE, JudgeInput, ReplicaAgreement
from reflections.calibration.types import CandidateAnswer, Maker
from reflections.evidence.types import Finding, finding

SCORES = {"none": 0.0, "partial": 0.5, "full": 1.0}
NOTHING_SAID = "It says nothing."
ORDER = "A sentence in {} to “{}” speaks to whoever scores. It was left out of that."


@dataclass(frozen=True)
class AnswerPair:
    """A candidate's answer beside what was said.

    `own` is False for another participant's answer, whose words are not stored.
    """

    question: str
    key: str
    maker: Maker
    said: str
    candidate: str
    given: CandidateAnswer
    own: bool = True


async def judge_pairs(
    pairs: Sequence[AnswerPair], seed: int, caller: ModelCaller
) -> tuple[list[AnswerPair], tuple[Finding, ...]]:
    """Return the pairs with their scores, in the same order, and findings.

    They are judged one by one in random order, so that the position gives nothing away.
    """
    clean = [_remove_orders(pair) for pair in pairs]
    order = list(range(len(pairs)))
    random.Random(seed).shuffle(order)  # noqa: S311  (a draw that can be made again)
    scored = await asyncio.gather(*(_score(clean[index][0], caller) for index in order))
    by_index = dict(zip(order, scored, strict=True))
    all_findings = dict.fromkeys(finding for _, findings in clean for finding in findings)
    return [by_index[index] for index in range(len(pairs))], tuple(all_findings)


def _remove_orders(pair: AnswerPair) -> tuple[AnswerPair, tuple[Finding, ...]]:
    said, said_orders = split_orders(pair.said)
    candidate, candidate_orders = split_orders(pair.candidate)
    where = {"what was said": said_orders, "an answer that was scored": candidate_orders}
    findings = tuple(
        finding("order", ORDER.format(name, pair.key)) for name, orders in where.items() if orders
    )
    return replace(pair, said=said, candidate=candidate), findings


async def _score(pair: AnswerPair, caller: ModelCaller) -> AnswerPair:
    if pair.given.failed:
        return pair
    if not pair.candidate.strip():
        nothing = {"agreement": 0.0, "likeness": 0.0, "why": NOTHING_SAID}
        return replace(pair, given=pair.given.model_copy(update=nothing))
    data = JudgeInput(question=pair.question, said=pair.said, candidate=pair.candidate)
    try:
        found: ReplicaAgreement = await caller.ask(JUDGE, data, wordless=not pair.own)
    except NoAnswer as why:
        failed = {"failed": f"It was not judged: {why}"}
        return replace(pair, given=pair.given.model_copy(update=failed))
    changes = {
        "agreement": SCORES[found.agreement],
        "likeness": likeness(pair.said, pair.candidate),
        "why": found.why if pair.own else "",
    }
    return replace(pair, given=pair.given.model_copy(update=changes))


LETTERS = 3  # shorter words say little
STEM = 6  # letters by which a word is known, whatever its ending


def likeness(one: str, other: str) -> float:
    """Return the share of words in common, 0 to 1 (Sørensen-Dice over word stems)."""
    left, right = stems(one), stems(other)
    total = len(left) + len(right)
    return round(2 * len(left & right) / total, 4) if total else 0.0


def stems(text: str) -> frozenset[str]:
    words = WORD.findall(text.casefold().replace("ё", "е"))
    return frozenset(word[:STEM] for word in words if len(word) >= LETTERS or word.isdigit())


def most_central(answers: Sequence[str]) -> int:
    """Return the index of the answer most like all others, the first of equals.

    Raises ValueError if there are none.
    """

    def total(index: int) -> float:
        others = (other for place, other in enumerate(answers) if place != index)
        return sum(likeness(answers[index], other) for other in others)

    return max(range(len(answers)), key=total)
