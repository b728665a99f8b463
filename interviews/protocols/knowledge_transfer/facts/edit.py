"""A fact in other words. What was extracted stays beside it."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from interviews.models import Fact
from interviews.protocols.knowledge_transfer.facts.checks import NotSo, locked
from plans.text import tidy

MOST_CHARACTERS = 2_000


@transaction.atomic
def write(key: int, text: str, seen: str, editor: str) -> Fact:
    """Gives the fact these words, by this person, and gives it back.

    `seen` is the `version` that was read. Raises Stale or NotSo, and then nothing is changed.
    """
    fact = _alone(key, seen)
    reword(fact, text, editor)
    return fact


@transaction.atomic
def put_back(key: int, seen: str) -> Fact:
    """Gives the fact the words in which it was extracted. Raises as `write` does."""
    fact = _alone(key, seen)
    _store(fact, fact.original, "", None)
    return fact


def reword(fact: Fact, text: str, editor: str) -> None:
    """Stores the words; those that were extracted are nobody's edit. Raises NotSo."""
    words = fit(text)
    if words == fact.original:
        _store(fact, fact.original, "", None)
    elif words != fact.text:
        _store(fact, words, editor, timezone.now())


def fit(text: str) -> str:
    """The words as they are kept. Raises NotSo where there are none, or too many."""
    words = tidy(text)
    if not words:
        raise NotSo("A fact needs words.")
    if len(words) > MOST_CHARACTERS:
        raise NotSo(f"A fact has at most {MOST_CHARACTERS:,} characters.")
    return words


def _alone(key: int, seen: str) -> Fact:
    """The fact, locked. Raises NotSo where it stands under another one."""
    [fact] = locked([key], seen)
    if fact.merged_into_id:
        raise NotSo("It is merged into another fact. Edit that one, or take it apart first.")
    return fact


def _store(fact: Fact, text: str, editor: str, at: datetime | None) -> None:
    fact.text, fact.edited_by, fact.edited_at = text, editor, at
    fact.save(update_fields=["text", "edited_by", "edited_at"])
