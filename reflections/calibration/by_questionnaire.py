"""Calibrate on the participant's questionnaire.

gather_knowledge -> the replica, notes only and the average choose, portion by portion -> figures
"""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from plans.jobs import JobFailed
from reflections.calibration import statistics
from reflections.calibration.by_holdout import ENOUGH_OTHERS
from reflections.calibration.knowledge import gather_knowledge
from reflections.calibration.llm_calls import ModelCaller, NoAnswer
from reflections.calibration.llm_tasks import (
    CHOOSE,
    CHOOSE_TYPICAL,
    ChooseInput,
    ChooseTypicalInput,
    ItemIn,
    PersonInput,
    ReplicaChoices,
)
from reflections.calibration.questionnaire import match_option
from reflections.calibration.types import (
    MAKERS,
    ChosenOption,
    ItemResult,
    Maker,
    QuestionnaireItem,
    QuestionnaireOptions,
    QuestionnaireResult,
)
from reflections.evidence.transcript import Transcript
from reflections.evidence.types import Finding, finding
from reflections.models import Expert

PORTION = 20  # items that one call chooses for
Others = Mapping[str, Sequence[str]]  # item's key -> the options that others chose
Choices = dict[str, ChosenOption]  # by item's key


async def measure(
    transcript: Transcript,
    readers: Sequence[Expert],
    options: QuestionnaireOptions,
    others: Others,
    caller: ModelCaller,
) -> QuestionnaireResult:
    """Compare the options the replica chose with the participant's.

    Raises JobFailed if models failed on more than half of the items.
    """
    knowledge = await gather_knowledge(transcript, readers, caller)
    frequent = {item.key: most_frequent(item, others.get(item.key, ())) for item in options.items}
    unknown = [item for item in options.items if not frequent[item.key]]
    replica, notes, typical = await asyncio.gather(
        _fill_in(options.items, knowledge.whole, caller),
        _fill_in(options.items, knowledge.only_notes, caller),
        _fill_in(unknown, transcript.language, caller),
    )
    average = {key: ChosenOption(option=option) for key, option in frequent.items() if option}
    choices: dict[Maker, Choices] = {
        "replica": replica,
        "notes": notes,
        "average": average | typical,
    }
    items = [
        _item_result(item, choices, others if frequent[item.key] else {}) for item in options.items
    ]
    findings = (*knowledge.findings, *_unscored_findings(items), *_no_option_findings(items))
    counted, seed = [one for one in items if one.counts], options.seed
    repeated = statistics.answered_twice(counted)
    return QuestionnaireResult(
        language=knowledge.language,
        seed=seed,
        made_by=caller.made_by,
        reason=caller.reason,
        calls=caller.calls,
        knowing=knowledge.knowing,
        findings=findings,
        items=tuple(items),
        accuracy=statistics.compare(partial(statistics.accuracy, counted, seed=seed)),
        closeness=statistics.compare(partial(statistics.closeness, counted, seed=seed)),
        consistency=statistics.consistency(counted, seed),
        twice=statistics.compare(partial(statistics.accuracy, repeated, seed=seed)),
        normalised=statistics.compare(partial(statistics.normalised, counted, seed=seed)),
    )


def most_frequent(item: QuestionnaireItem, answers: Sequence[str]) -> str:
    """Return the option most others chose (the first of equals), or "" if too few answered."""
    counted = Counter(answer for answer in answers if answer in item.options)
    if counted.total() < ENOUGH_OTHERS:
        return ""
    return max(item.options, key=lambda option: counted[option])


def portions(items: Sequence[QuestionnaireItem]) -> list[Sequence[QuestionnaireItem]]:
    return [items[start : start + PORTION] for start in range(0, len(items), PORTION)]


async def _fill_in(
    items: Sequence[QuestionnaireItem], about: PersonInput | str, caller: ModelCaller
) -> Choices:
    """Choose an option for each item. `about` is the person, or only a language."""
    pieces = await asyncio.gather(
        *(_choose_portion(piece, about, caller) for piece in portions(items))
    )
    return {key: chosen for piece in pieces for key, chosen in piece.items()}


async def _choose_portion(
    items: Sequence[QuestionnaireItem], about: PersonInput | str, caller: ModelCaller
) -> Choices:
    """Choose for one portion; what is no option is asked once more, then counts as no answer."""
    found = await _choose_once(items, about, caller)
    refused = [item for item in items if found[item.key] == ChosenOption()]
    return found | await _choose_once(refused, about, caller) if refused else found


async def _choose_once(
    items: Sequence[QuestionnaireItem], about: PersonInput | str, caller: ModelCaller
) -> Choices:
    try:
        chosen = _valid_options(items, await _ask(items, about, caller))
    except NoAnswer as why:
        return {item.key: ChosenOption(failed=f"There was no answer: {why}") for item in items}
    return {item.key: ChosenOption(option=chosen.get(item.key, "")) for item in items}


async def _ask(
    items: Sequence[QuestionnaireItem], about: PersonInput | str, caller: ModelCaller
) -> ReplicaChoices:
    inputs = [_item_input(number, item) for number, item in enumerate(items, 1)]
    if isinstance(about, str):
        data = ChooseTypicalInput(language=about, items=inputs)
        return await caller.ask(CHOOSE_TYPICAL, data)
    return await caller.ask(CHOOSE, ChooseInput(**dict(about), items=inputs))


def _item_input(number: int, item: QuestionnaireItem) -> ItemIn:
    span = [f"a whole number from {item.options[0]} to {item.options[-1]}"]
    return ItemIn(number=number, text=item.text, options=span if item.scale else list(item.options))


def _valid_options(items: Sequence[QuestionnaireItem], choices: ReplicaChoices) -> dict[str, str]:
    found: dict[str, str] = {}
    for choice in choices.choices:
        if 1 <= choice.number <= len(items):
            item = items[choice.number - 1]
            if option := match_option(choice.option, item.options, item.scale):
                found.setdefault(item.key, option)
    return found


def _item_result(
    item: QuestionnaireItem, choices: Mapping[Maker, Choices], others: Others
) -> ItemResult:
    count = len(others.get(item.key, ()))
    return ItemResult(
        item=item,
        chosen={maker: choices[maker][item.key] for maker in MAKERS},
        baseline="others" if count else "typical",
        others=count,
    )


def _unscored_findings(items: Sequence[ItemResult]) -> list[Finding]:
    missing = [one for one in items if not one.counts]
    if not missing:
        return []
    failed = (one.chosen[maker].failed for one in missing for maker in MAKERS)
    why = next(filter(None, failed))
    if len(missing) * 2 > len(items):
        raise JobFailed(f"{len(missing)} of {len(items)} items could not be answered. {why}.")
    text = f"Items that are in no figure, since a model did not answer: {_keys(missing)}. {why}."
    return [finding("unscored", text)]


def _no_option_findings(items: Sequence[ItemResult]) -> list[Finding]:
    empty = [one for one in items if one.counts and not one.chosen["replica"].option]
    if not empty:
        return []
    text = f"The replica chose no option, also when asked again, for these items: {_keys(empty)}."
    return [finding("no_option", text)]


def _keys(items: Sequence[ItemResult]) -> str:
    return ", ".join(one.item.key for one in items)
