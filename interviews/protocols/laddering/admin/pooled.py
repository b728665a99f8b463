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

from interviews.choices import SessionStatus
from interviews.exports.selection import Selection
from interviews.models import Session
from interviews.protocols.laddering.exports.matrix import MatrixCell, implication_matrix
from interviews.protocols.laddering.exports.pooled_codes import CodePool, ConceptCode, pooled
from interviews.protocols.laddering.exports.value_map import ValueMap, value_map
from interviews.protocols.laddering.ladders import Ladder, graphs_of, ladder_of
from plans.models import Bot

ENDED = (str(SessionStatus.COMPLETED), str(SessionStatus.STOPPED))
MOST = 200  # interviews that are taken together, the latest ones
KEPT = 3600  # seconds; interviews that have ended don't change
CUT_OFFS = ((20, 3), (10, 2), (0, 1))  # from so many interviews on, lines begin at …


@dataclass(frozen=True)
class NumberedCode:
    """One code with its number."""

    number: int
    code: ConceptCode
    rung: int
    type: str

    @property
    def interviews(self) -> int:
        return len(self.code.sessions)


@dataclass(frozen=True)
class PooledLadders:
    """All that was said in some interviews, and what led to what."""

    sessions: tuple[UUID, ...]
    all_sessions: int  # that there are; more than are taken together, where there are too many
    ladder: Ladder
    pool: CodePool

    @cached_property
    def cells(self) -> tuple[MatrixCell, ...]:
        return implication_matrix(self.pool)

    @cached_property
    def codes(self) -> tuple[NumberedCode, ...]:
        """All codes by their numbers."""
        rungs = self.ladder.by_type
        listed = sorted(
            self.pool.codes, key=lambda code: (rungs[code.type].number, -len(code.sessions))
        )
        return tuple(
            NumberedCode(number, code, rungs[code.type].number, rungs[code.type].name)
            for number, code in enumerate(listed, 1)
        )

    @cached_property
    def by_code(self) -> Mapping[str, NumberedCode]:
        return {one.code.id: one for one in self.codes}

    @cached_property
    def tied(self) -> tuple[NumberedCode, ...]:
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


def taken_together(chosen: Selection) -> PooledLadders:
    """The ladders of the chosen interviews that have a graph; of the latest where they are many."""
    found = chosen.with_content().filter(nodes__isnull=False).distinct()
    total = found.count()
    latest = list(found.order_by("-started_at", "id").values_list("pk", "plan_id")[:MOST])[::-1]
    keys = tuple(key for key, _ in latest)
    ladder, pool = _pooled(keys, max((plan for _, plan in latest), default=0))
    return PooledLadders(keys, total, ladder, pool)


def _pooled(keys: Sequence[UUID], plan: int) -> tuple[Ladder, CodePool]:
    """What they come to; comparing thousands of texts takes seconds, so it is kept a while."""
    if not keys:
        return Ladder((), (), {}), CodePool((), {})
    name = "ladders:" + hashlib.sha256(f"{plan} {keys}".encode()).hexdigest()
    kept: tuple[Ladder, CodePool] | None = cache.get(name)
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
