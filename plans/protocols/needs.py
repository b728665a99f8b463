"""What bots of several kinds may lack: scripts, known languages, a reward that can be given."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from plans.models import Script
from plans.protocols.base import BotDraft, ChecklistItem
from plans.protocols.rewards import RewardOptions
from plans.text.languages import is_known, language_name
from plans.text.redirect_urls import is_address

FEW_CODES = 10


def script_languages(draft: BotDraft) -> list[str]:
    """The languages of the scripts."""
    return sorted({script.language for script in draft.scripts})


def script_items(scripts: Sequence[Script]) -> list[ChecklistItem]:
    """At least one script, and one per language."""
    spoken = [script.language for script in scripts]
    twice = sorted({language for language in spoken if spoken.count(language) > 1})
    items = [ChecklistItem("A script", bool(spoken), "Choose a script under Interview.")]
    return items + [
        ChecklistItem(
            "One script for each language",
            False,
            f"Two scripts are in {language_name(language)}; keep one of them.",
        )
        for language in twice
    ]


def asks_something(script: Script, count: int) -> ChecklistItem:
    """A script with so many questions that would be asked."""
    hint = f"“{script}” has no question that would be asked; write one, or put a section back in."
    return ChecklistItem(f"Questions in “{script.name}”: {count}", count > 0, hint)


def language_items(tags: Iterable[str]) -> list[ChecklistItem]:
    """At least one language, and no unknown ones."""
    named = list(tags)
    unknown = [tag for tag in named if not is_known(tag)]
    spoken = ", ".join(language_name(tag) for tag in named)
    hint = f"No language has the tag {', '.join(unknown)}; use one such as en, it or pt-BR."
    if not named:
        hint = "Say under Interview in which languages it can be held."
    return [ChecklistItem(f"Languages: {spoken or 'none'}", bool(named) and not unknown, hint)]


def reward_items(draft: BotDraft, reward: RewardOptions) -> list[ChecklistItem]:
    """A code, codes or an address, whichever the reward is made of, however people end."""
    early = reward.due(early=True)
    items = _own_items(reward)
    if early != reward:
        items += [_of_those_who_end_early(item) for item in _own_items(early)]
    pooled = "pool" in (reward.kind, early.kind)
    return items + _pool_items(draft) if pooled and draft.rows else items


def _own_items(reward: RewardOptions) -> list[ChecklistItem]:
    if reward.kind == "fixed":
        return [
            ChecklistItem("Reward code", bool(reward.code.strip()), "Write the code under Reward.")
        ]
    if reward.kind == "redirect":
        hint = "Under Reward, write a whole address that begins with https://."
        return [ChecklistItem("Address after the interview", is_address(reward.url), hint)]
    return []


def _of_those_who_end_early(item: ChecklistItem) -> ChecklistItem:
    """The same need, told of them."""
    hint = f"{item.hint.removesuffix('.')}, the one for those who end early."
    return replace(item, label=f"{item.label} for those who end early", hint=hint)


def _pool_items(draft: BotDraft) -> list[ChecklistItem]:
    left = draft.bot.reward_codes.filter(drawn_for=None).count()
    items = [
        ChecklistItem(f"Reward codes left: {left}", left > 0, "The pool is empty: add codes to it.")
    ]
    if 0 < left < FEW_CODES:
        hint = f"Only {left} left; who comes after that gets none. Add more in time."
        items.append(ChecklistItem("Enough reward codes", False, hint, needed=False))
    return items
