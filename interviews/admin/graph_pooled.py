"""The ladders of several interviews taken together, as laddering studies report them.

What was said is counted as codes: nodes of one type that mean the same, in whichever interview.
Codes are numbered from the lowest rung up, and within a rung by how many interviews hold them.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.core.cache import cache

from interviews.exports.selection import Selection
from interviews.ladders import Ladder, graphs_of, ladder_of
from interviews.models import Session
from interviews.protocols.laddering.exports.matrix import Cell, implication_matrix
from interviews.protocols.laddering.exports.pooling import Code, Pool, pooled
from interviews.protocols.laddering.exports.value_map import ValueMap, value_map
from interviews.words import Status
from plans.models import Bot

ENDED = (str(Status.COMPLETED), str(Status.STOPPED))
MOST = 200  # interviews that are taken together, the latest ones
KEPT = 3600  # seconds; interviews that have ended don't change
CUT_OFFS = ((20, 3), (10, 2), (0, 1))  # from so many interviews on, lines begin at …


@dataclass(frozen=True)
class Numbered:
    """One code with its number."""

    number: int
    code: Code
    rung: int
    type: str

    @property
    def interviews(self) -> int:
        """In how many it came up."""
        return len(self.code.sessions)


@dataclass(frozen=True)
class Ladders:
    """All that was said in some interviews, and what led to what."""

    sessions: tuple[UUID, ...]
    all_sessions: int  # that there are; more than are taken together, where there are too many
    ladder: Ladder
    pool: Pool

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The implication matrix."""
        return implication_matrix(self.pool)

    @cached_property
    def codes(self) -> tuple[Numbered, ...]:
        """All codes by their numbers."""
        rungs = self.ladder.by_type
        listed = sorted(
            self.pool.codes, key=lambda code: (rungs[code.type].number, -len(code.sessions))
        )
        return tuple(
            Numbered(number, code, rungs[code.type].number, rungs[code.type].name)
            for number, code in enumerate(listed, 1)
        )

    @cached_property
    def by_code(self) -> Mapping[str, Numbered]:
        """The codes by their ids."""
        return {one.code.id: one for one in self.codes}

    @cached_property
    def tied(self) -> tuple[Numbered, ...]:
        """The codes that lead to others, or are led to."""
        ends = {end for cell in self.cells for end in (cell.source, cell.target)}
        return tuple(one for one in self.codes if one.code.id in ends)

    def map_from(self, cut_off: int) -> ValueMap:
        """The hierarchical value map with that cut-off."""
        return value_map(self.pool, self.ladder.types, cut_off)

    @property
    def usual_cut_off(self) -> int:
        """One that leaves a map that can be read, by rule of thumb."""
        return next(cut for least, cut in CUT_OFFS if len(self.sessions) >= least)


def taken_together(chosen: Selection) -> Ladders:
    """The ladders of the chosen interviews that have a graph; of the latest where they are many."""
    found = chosen.with_content().filter(nodes__isnull=False).distinct()
    total = found.count()
    latest = list(found.order_by("-started_at", "id").values_list("pk", "plan_id")[:MOST])[::-1]
    keys = tuple(key for key, _ in latest)
    ladder, pool = _pooled(keys, max((plan for _, plan in latest), default=0))
    return Ladders(keys, total, ladder, pool)


def _pooled(keys: Sequence[UUID], plan: int) -> tuple[Ladder, Pool]:
    """What they come to; comparing thousands of texts takes seconds, so it is kept a while."""
    if not keys:
        return Ladder((), (), {}), Pool((), {})
    name = "ladders:" + hashlib.sha256(f"{plan} {keys}".encode()).hexdigest()
    kept: tuple[Ladder, Pool] | None = cache.get(name)
    if kept is None:
        graphs = graphs_of(keys)
        ladder = ladder_of(plan, graphs.values())
        kept = ladder, pooled({str(k): g for k, g in graphs.items()}, ladder.relations[:1])
        cache.set(name, kept, KEPT)
    return kept


def languages_of(bot: Bot) -> list[str]:
    """The languages that a bot's interviews with a graph were held in."""
    held = Session.objects.filter(bot=bot, nodes__isnull=False).order_by()
    return sorted(held.values_list("language", flat=True).distinct())
