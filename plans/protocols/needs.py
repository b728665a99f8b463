"""Checklist items for bots of several protocols: scripts, languages and rewards."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from llm.languages import is_known, language_name
from llm.routing.routes import has_model
from plans.models import Script
from plans.models.eligibility import is_address
from plans.protocols.base import BotDraft, ChecklistItem
from plans.protocols.rewards import RewardOptions

FEW_CODES = 10
COMPLETION_HINT = (
    "People from a panel are paid by it once they give it a code at the end. Under Ending, choose "
    "the same code for everybody, or the address that the panel gave you."
)


def script_languages(draft: BotDraft) -> list[str]:
    return sorted({script.language for script in draft.scripts})


def script_items(scripts: Sequence[Script]) -> list[ChecklistItem]:
    languages = [script.language for script in scripts]
    repeated = sorted({language for language in languages if languages.count(language) > 1})
    items = [ChecklistItem("A script", bool(scripts), "Choose a script under Interview.")]
    return items + [
        ChecklistItem(
            "One script for each language",
            False,
            f"Two scripts are in {language_name(language)}. Keep one.",
        )
        for language in repeated
    ]


def question_count_item(script: Script, count: int) -> ChecklistItem:
    hint = f"“{script}” has no questions to ask. Write one, or put a section back in."
    return ChecklistItem(f"Questions in “{script.name}”: {count}", count > 0, hint)


def language_items(tags: Iterable[str]) -> list[ChecklistItem]:
    tags = list(tags)
    unknown = [tag for tag in tags if not is_known(tag)]
    names = ", ".join(language_name(tag) for tag in tags)
    hint = f"No language has the tag {', '.join(unknown)}; use one such as en, it or pt-BR."
    if not tags:
        hint = "Name the languages of the interview under Interview."
    return [ChecklistItem(f"Languages: {names or 'none'}", bool(tags) and not unknown, hint)]


def translation_items(tags: Sequence[str], what: str) -> list[ChecklistItem]:
    """Return whether there is a model to put what is written in the first language into others."""
    if len(tags) < 2:
        return []
    first, *others = map(language_name, tags)
    hint = (
        f"{what} are in {first}. Without a model, people who choose {' or '.join(others)} are "
        f"asked in {first}, too. Make a bot for each language."
    )
    return [advice("A model for more than one language", has_model(), hint)]


def advice(label: str, done: bool, hint: str) -> ChecklistItem:
    return ChecklistItem(label, done, hint, needed=False)


def reward_items(draft: BotDraft, reward: RewardOptions) -> list[ChecklistItem]:
    """Return what the reward still lacks, both for finishing and for ending early."""
    early = reward.due(early=True)
    items = _code_items(reward)
    if draft.bot.is_for_panel and reward.kind == "none":
        items = [ChecklistItem("Completion code", False, COMPLETION_HINT)]
    if early != reward:
        items += [_for_early_ends(item) for item in _code_items(early)]
    pooled = "pool" in (reward.kind, early.kind)
    return items + _pool_items(draft) if pooled and draft.rows else items


def _code_items(reward: RewardOptions) -> list[ChecklistItem]:
    if reward.kind == "fixed":
        hint = "Write the code under Ending."
        return [ChecklistItem("Reward code", bool(reward.code.strip()), hint)]
    if reward.kind == "redirect":
        hint = "Under Ending, write a full address that starts with https://."
        return [ChecklistItem("Address after the interview", is_address(reward.url), hint)]
    return []


def _for_early_ends(item: ChecklistItem) -> ChecklistItem:
    hint = f"{item.hint.removesuffix('.')}, the one for those who end early."
    return replace(item, label=f"{item.label} for those who end early", hint=hint)


def _pool_items(draft: BotDraft) -> list[ChecklistItem]:
    left = draft.bot.reward_codes.filter(drawn_for=None).count()
    hint = "The pool is empty. Add codes."
    items = [ChecklistItem(f"Reward codes left: {left}", left > 0, hint)]
    if 0 < left < FEW_CODES:
        hint = f"Only {left} left. Participants after that get none. Add more in time."
        items.append(advice("Enough reward codes", False, hint))
    return items
