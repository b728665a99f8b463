"""Moves: what may come next, offered by the code, chosen and worded by a model.

A protocol offers them in the order in which they come without a model. What an answer is decides
which of them may follow:

| the answer | what may follow |
| tells something, whatever is refused or complained of beside it | any move |
| tells something hard | a stay: an open door; once it was opened, any move |
| tells nothing, or wishes for the next question | anything but a stay |
| wishes for one last question | `last`, then `end` |
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from interviews.engine.clock import TimedState
from interviews.engine.reading import AnswerReading

MoveKind = Literal["stay", "next", "back", "offer", "last", "end"]
Only = Literal["", "matters", "hard", "last_one"]
AGAIN = "again"  # by which a model says that it puts the open question again
WORD = re.compile(r"[^\s,;:]+")
MOST_NEW = 2  # threads noted in one turn
MOST_THREADS = 8  # noted and not followed yet
LONGEST_THREAD = 80  # characters


@dataclass(frozen=True, slots=True)
class Move:
    """One thing that may come next.

    `only` says when it may be chosen: where something hard was told; where one last question is
    wished; or, since its time is used up, for what matters more than what is open.
    """

    id: str  # by which the model names it
    kind: MoveKind
    aim: str  # what it is for, as the model reads it
    written: str = ""  # what is said if no model words it; without, it isn't the default
    item: tuple[int, ...] = ()  # the open item that it puts, as its protocol counts them
    brief: str = ""  # the item where it stands further down the list
    only: Only = ""


class LedState(TimedState):
    """A state of interviews that are led by moves."""

    clock = "clock_started_at"

    clock_started_at: datetime | None = None  # when the first question was shown
    open_question: str = ""  # as it was put, to put it again
    stays: int = 0  # on the open item
    door: Literal["", "asked", "open"] = ""  # to say more of something hard, or leave it there
    threads: tuple[str, ...] = ()  # hinted at and not followed yet


def named(moves: Iterable[Move], heard: str) -> Move | None:
    """Return the move that a model names in what it heard, before any subject.

    To put the question again beside something told is to stay with that.
    """
    ids = {move.id: move for move in moves}
    if "stay" in ids:
        ids = {AGAIN: ids["stay"], **ids}
    said = (word.lower() for word in WORD.findall(heard.partition(":")[0]))
    return next((ids[word] for word in said if word in ids), None)


def backs(threads: Sequence[str]) -> tuple[Move, ...]:
    """Return the moves that come back to what was hinted at."""
    return tuple(Move(f"b{place}", "back", thread) for place, thread in enumerate(threads, 1))


def opens_door(reading: AnswerReading, state: LedState) -> bool:
    """Return whether something hard was told for the first time on the open item.

    Nobody who wants to go is held by it.
    """
    leaves = state.ends_early or reading.wants("last_one", "stop")
    closes = reading.wants("refuse")
    return reading.care == "heavy" and not (closes or state.door or leaves)


def accepted(moves: Sequence[Move], reading: AnswerReading, state: LedState) -> tuple[Move, ...]:
    """Return the moves that may follow the answer, in their order; at least one."""
    stays = tuple(move for move in moves if move.kind == "stay")
    if stays and opens_door(reading, state):
        return stays
    last = tuple(move for move in moves if move.kind == "last")
    if reading.wants("last_one") and last:
        return last
    hard = reading.care == "heavy" and (reading.told or not reading.wants("refuse"))
    may_stay = (hard or reading.told) and not reading.wants("skip")
    unfit = ("last_one",) if hard else ("last_one", "hard")
    fits = (move for move in moves if move.only not in unfit)
    return tuple(move for move in fits if may_stay or move.kind != "stay")


def with_threads(
    threads: tuple[str, ...], new: Sequence[str], followed: Collection[str] = ()
) -> tuple[str, ...]:
    """Return the threads with new ones, without those that were followed or told."""
    fresh = (" ".join(one.split())[:LONGEST_THREAD] for one in new[:MOST_NEW])
    every = dict.fromkeys((*threads, *filter(None, fresh)))
    return tuple(one for one in every if one not in followed)[-MOST_THREADS:]
