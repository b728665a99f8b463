"""Quotas by cell: how many interviews are wanted of whom."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from interviews.choices import ACTIVE, SessionStatus
from interviews.models import Participant, Session
from interviews.models.overview import SETTLED_AFTER, last_heard_before
from interviews.validation import RequestRefused
from plans.models import Bot
from plans.models.eligibility import cells_of, under_all_names
from plans.models.experiment import study_of


@dataclass(frozen=True)
class CellCount:
    name: str
    wanted: int
    completed: int
    under_way: int

    @property
    def taken(self) -> int:
        return self.completed + self.under_way

    @property
    def full(self) -> bool:
        return self.taken >= self.wanted

    @property
    def share(self) -> float:
        return min(100.0, 100 * self.completed / self.wanted)


def cell_counts(bot: Bot, at: datetime, person: Participant | None = None) -> list[CellCount]:
    """Return the bot's cells with completed interviews and those under way.

    Interviews count that are completed, also those deleted past their time, or active and not quiet
    for a day, in all arms of the bot's experiments. Starting again archives the person's own active
    one, which frees its place.
    """
    cells = cells_of(bot.quota_cells)
    if not cells:
        return []
    gone = dict(study_of(bot).values_list("pk", "cells_gone")).values()
    quiet = last_heard_before(at - SETTLED_AFTER).values("pk")
    held = Session.objects.filter(bot__in=study_of(bot), preview=False, synthetic=False)
    held = held.exclude(cell="").filter(status__in=(SessionStatus.COMPLETED, *ACTIVE))
    if person is not None:
        held = held.exclude(participant=person, status__in=ACTIVE)
    counts = Counter(held.exclude(pk__in=quiet).order_by().values_list("cell", "status"))
    return [
        CellCount(
            cell.name,
            cell.wanted,
            counts[cell.name, SessionStatus.COMPLETED] + sum(one.get(cell.name, 0) for one in gone),
            sum(counts[cell.name, status] for status in ACTIVE),
        )
        for cell in cells
    ]


def all_given(bot: Bot, answers: Mapping[str, str], params: Mapping[str, str]) -> dict[str, str]:
    """Return what is known of somebody; a parameter without a value leaves the answer as it is.

    Parameters are there under each of their spellings.
    """
    params = under_all_names(bot, params)
    return {**params, **answers, **{name: value for name, value in params.items() if value}}


def cell_name(bot: Bot, given: Mapping[str, str]) -> str:
    """Return the name of the first cell that fits, or empty."""
    return next((cell.name for cell in cells_of(bot.quota_cells) if cell.fits(given)), "")


def check_cells(
    bot: Bot, person: Participant | None, at: datetime, given: Mapping[str, str], final: bool
) -> None:
    """Raise RequestRefused: full, screened.

    `given` are link parameters, start answers and the interview's `language`. Before the start
    (`final` is False) nobody is refused as long as something that the cells ask for isn't known,
    and never before the language is.
    """
    if not bot.quota_cells:
        return
    asked = {name.casefold() for cell in cells_of(bot.quota_cells) for name in cell.when}
    unknown = asked - {name.casefold() for name in given}
    if unknown & {"language"} if final else unknown:
        return
    name = cell_name(bot, given)
    if not name and bot.cells_only:
        raise RequestRefused("screened", _("Thank you. We’re looking for other people this time."))
    if any(cell.full for cell in cell_counts(bot, at, person) if cell.name == name):
        raise RequestRefused("full", _("All places in this interview are taken."))
