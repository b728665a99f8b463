from datetime import datetime

from django.db import transaction
from django.utils import timezone

from interviews.models import Fact
from interviews.protocols.knowledge_transfer.facts.checks import Invalid, lock_unchanged
from plans.text import tidy

MAX_LENGTH = 2_000


@transaction.atomic
def write(key: int, text: str, seen: str, editor: str) -> Fact:
    """Give the fact new words by this editor and return it.

    `seen` is the `version` that was read. Raises Stale or Invalid.
    """
    fact = _lock_one(key, seen)
    reword(fact, text, editor)
    return fact


@transaction.atomic
def restore_original(key: int, seen: str) -> Fact:
    """Give the fact the words in which it was extracted. Raises like `write`."""
    fact = _lock_one(key, seen)
    _store(fact, fact.original, "", None)
    return fact


def reword(fact: Fact, text: str, editor: str) -> None:
    """Store the words. Nobody counts as editor of the original ones. Raises Invalid."""
    words = _tidy_text(text)
    if words == fact.original:
        _store(fact, fact.original, "", None)
    elif words != fact.text:
        _store(fact, words, editor, timezone.now())


def _tidy_text(text: str) -> str:
    words = tidy(text)
    if not words:
        raise Invalid("A fact needs words.")
    if len(words) > MAX_LENGTH:
        raise Invalid(f"A fact has at most {MAX_LENGTH:,} characters.")
    return words


def _lock_one(key: int, seen: str) -> Fact:
    [fact] = lock_unchanged([key], seen)
    if fact.merged_into_id:
        raise Invalid("It is merged into another fact. Edit that one, or take it apart first.")
    return fact


def _store(fact: Fact, text: str, editor: str, at: datetime | None) -> None:
    fact.text, fact.edited_by, fact.edited_at = text, editor, at
    fact.save(update_fields=["text", "edited_by", "edited_at"])
