"""A whole calibration by questionnaire.

known -> replica, notes only, average choose, portion by portion -> figures
"""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from plans.jobs import JobFailed
from reflections.calibration import statistics
from reflections.calibration.knowledge import ExpertReader, Knowledge, known
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
from reflections.calibration.questionnaire import option_of
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
from reflections.evidence.types import Finding

PORTION = 20  # items that one call chooses for
ENOUGH_OTHERS = 3
Others = Mapping[str, Sequence[str]]  # item's key -> the options that others chose
Found = dict[str, ChosenOption]  # by item's key


async def measured(
    words: Transcript,
    readers: Sequence[ExpertReader],
    options: QuestionnaireOptions,
    others: Others,
    asker: ModelCaller,
) -> QuestionnaireResult:
    """How well the replica fills in the questionnaire. Raises JobFailed where models failed at more
    than half of the items."""
    knowledge = await known(words, readers, asker)
    usual = {item.key: most_frequent(item, others.get(item.key, ())) for item in options.items}
    unknown = [item for item in options.items if not usual[item.key]]
    replica, notes, typical = await asyncio.gather(
        _filled_in(options.items, knowledge.whole, asker),
        _filled_in(options.items, knowledge.only_notes, asker),
        _filled_in(unknown, words.language, asker),
    )
    average = {
        key: ChosenOption(option=option) for key, option in usual.items() if option
    } | typical
    by: dict[Maker, Found] = {"replica": replica, "notes": notes, "average": average}
    items = [_answered(item, by, others if usual[item.key] else {}) for item in options.items]
    findings = (*knowledge.findings, *_unheard(items), *_unanswered(items))
    return _composed(items, options, asker, knowledge, findings)


def most_frequent(item: QuestionnaireItem, answers: Sequence[str]) -> str:
    """What most others chose, the first option of equals; empty where they are too few."""
    counted = Counter(answer for answer in answers if answer in item.options)
    if counted.total() < ENOUGH_OTHERS:
        return ""
    return max(item.options, key=lambda option: counted[option])


def portions(items: Sequence[QuestionnaireItem]) -> list[Sequence[QuestionnaireItem]]:
    """The items as they are chosen for, some at a time."""
    return [items[start : start + PORTION] for start in range(0, len(items), PORTION)]


async def _filled_in(
    items: Sequence[QuestionnaireItem], about: PersonInput | str, asker: ModelCaller
) -> Found:
    """What somebody chose, who is known or of whom only the language is."""
    pieces = await asyncio.gather(*(_portion(piece, about, asker) for piece in portions(items)))
    return {key: chosen for piece in pieces for key, chosen in piece.items()}


async def _portion(
    items: Sequence[QuestionnaireItem], about: PersonInput | str, asker: ModelCaller
) -> Found:
    """One portion. What is no option is refused once, and then counts as no answer."""
    found = await _heard(items, about, asker)
    refused = [item for item in items if found[item.key] == ChosenOption()]
    return found | await _heard(refused, about, asker) if refused else found


async def _heard(
    items: Sequence[QuestionnaireItem], about: PersonInput | str, asker: ModelCaller
) -> Found:
    """What one call chose for them: an option, nothing that is one, or why it failed."""
    try:
        chosen = _valid(items, await _asked(items, about, asker))
    except NoAnswer as why:
        return {item.key: ChosenOption(failed=f"There was no answer: {why}") for item in items}
    return {item.key: ChosenOption(option=chosen.get(item.key, "")) for item in items}


async def _asked(
    items: Sequence[QuestionnaireItem], about: PersonInput | str, asker: ModelCaller
) -> ReplicaChoices:
    shown = [_shown(number, item) for number, item in enumerate(items, 1)]
    if isinstance(about, str):
        data = ChooseTypicalInput(language=about, items=shown)
        return await asker.ask(CHOOSE_TYPICAL, data)
    return await asker.ask(CHOOSE, ChooseInput(**dict(about), items=shown))


def _shown(number: int, item: QuestionnaireItem) -> ItemIn:
    span = [f"a whole number from {item.options[0]} to {item.options[-1]}"]
    return ItemIn(number=number, text=item.text, options=span if item.scale else list(item.options))


def _valid(items: Sequence[QuestionnaireItem], choices: ReplicaChoices) -> dict[str, str]:
    """Item's key -> option, for those that are one; the first choice for an item counts."""
    found: dict[str, str] = {}
    for choice in choices.choices:
        if 1 <= choice.number <= len(items):
            item = items[choice.number - 1]
            option = option_of(choice.option, item.options, item.scale)
            if option:
                found.setdefault(item.key, option)
    return found


def _answered(item: QuestionnaireItem, by: Mapping[Maker, Found], others: Others) -> ItemResult:
    known_of = len(others.get(item.key, ()))
    return ItemResult(
        item=item,
        chosen={maker: by[maker][item.key] for maker in MAKERS},
        baseline="others" if known_of else "typical",
        others=known_of,
    )


def _unheard(items: Sequence[ItemResult]) -> list[Finding]:
    missing = [one for one in items if not one.counts]
    if not missing:
        return []
    failed = (one.chosen[maker].failed for one in missing for maker in MAKERS)
    why = next(filter(None, failed))
    if len(missing) * 2 > len(items):
        raise JobFailed(f"{len(missing)} of {len(items)} items could not be answered. {why}.")
    text = f"Items that are in no figure, since a model did not answer: {_keys(missing)}. {why}."
    return [Finding(check="unscored", weight="notable", text=text)]


def _unanswered(items: Sequence[ItemResult]) -> list[Finding]:
    """Items for which the replica chose nothing that is an option; they count as not equal."""
    empty = [one for one in items if one.counts and not one.chosen["replica"].option]
    if not empty:
        return []
    text = f"The replica chose no option, also when asked again, for these items: {_keys(empty)}."
    return [Finding(check="no_option", weight="notable", text=text)]


def _keys(items: Sequence[ItemResult]) -> str:
    return ", ".join(one.item.key for one in items)


def _composed(
    items: Sequence[ItemResult],
    options: QuestionnaireOptions,
    asker: ModelCaller,
    knowledge: Knowledge,
    findings: tuple[Finding, ...],
) -> QuestionnaireResult:
    seed = options.seed
    counted = [one for one in items if one.counts]
    repeated = statistics.twice(counted)
    return QuestionnaireResult(
        language=knowledge.language,
        seed=seed,
        made_by=asker.made_by,
        reason=asker.reason,
        calls=asker.calls,
        knowing=knowledge.knowing,
        findings=findings,
        items=tuple(items),
        accuracy=statistics.compared(partial(statistics.accuracy, counted, seed=seed)),
        closeness=statistics.compared(partial(statistics.closeness, counted, seed=seed)),
        consistency=statistics.consistency(counted, seed),
        twice=statistics.compared(partial(statistics.accuracy, repeated, seed=seed)),
        normalised=statistics.compared(partial(statistics.normalised, counted, seed=seed)),
    )
