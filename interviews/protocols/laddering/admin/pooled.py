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
from interviews.protocols.laddering.exports.pooled_codes import CodePool, ConceptCode, pool_codes
from interviews.protocols.laddering.exports.value_map import ValueMap, value_map
from interviews.protocols.laddering.ladders import Ladder, graphs_of, ladder_of
from plans.models import Bot

ENDED = (str(SessionStatus.COMPLETED), str(SessionStatus.STOPPED))
MOST = 200  # interviews that are taken together, the latest ones
KEPT = 3600  # seconds; interviews that have ended don't change
CUT_OFFS = ((20, 3), (10, 2), (0, 1))  # from so many interviews on, lines begin at …


@dataclass(frozen=True)
class NumberedCode:
    number: int
    code: ConceptCode
    rung: int
    type: str

    @property
    def interviews(self) -> int:
        return len(self.code.sessions)


@dataclass(frozen=True)
class PooledLadders:
    sessions: tuple[UUID, ...]
    all_sessions: int  # how many there are, which may be more than are taken together
    ladder: Ladder
    pool: CodePool

    @cached_property
    def cells(self) -> tuple[MatrixCell, ...]:
        return implication_matrix(self.pool)

    @cached_property
    def codes(self) -> tuple[NumberedCode, ...]:
        rungs = self.ladder.by_type
        codes = sorted(self.pool.codes, key=lambda c: (rungs[c.type].number, -len(c.sessions)))
        return tuple(
            NumberedCode(number, code, rungs[code.type].number, rungs[code.type].name)
            for number, code in enumerate(codes, 1)
        )

    @cached_property
    def by_code(self) -> Mapping[str, NumberedCode]:
        return {one.code.id: one for one in self.codes}

    @cached_property
    def tied(self) -> tuple[NumberedCode, ...]:
        ends = {end for cell in self.cells for end in (cell.source, cell.target)}
        return tuple(one for one in self.codes if one.code.id in ends)

    def map_from(self, cut_off: int) -> ValueMap:
        return value_map(self.pool, self.ladder.types, cut_off)

    @property
    def usual_cut_off(self) -> int:
        """A cut-off that leaves a readable map, by rule of thumb."""
        return next(cut for least, cut in CUT_OFFS if len(self.sessions) >= least)


def pool_ladders(chosen: Selection) -> PooledLadders:
    """Return the ladders of the latest chosen interviews that have a graph, at most MOST."""
    found = chosen.with_content().filter(nodes__isnull=False).distinct()
    total = found.count()
    latest = list(found.order_by("-started_at", "id").values_list("pk", "plan_id")[:MOST])[::-1]
    keys = tuple(key for key, _ in latest)
    ladder, pool = _pool(keys, max((plan for _, plan in latest), default=0))
    return PooledLadders(keys, total, ladder, pool)


def _pool(keys: Sequence[UUID], plan: int) -> tuple[Ladder, CodePool]:
    """Pool the graphs; comparing thousands of texts takes seconds, so the result is cached."""
    if not keys:
        return Ladder((), (), {}), CodePool((), {})
    name = "ladders:" + hashlib.sha256(f"{plan} {keys}".encode()).hexdigest()
    cached: tuple[Ladder, CodePool] | None = cache.get(name)
    if cached is None:
        graphs = graphs_of(keys)
        ladder = ladder_of(plan, graphs.values())
        cached = ladder, pool_codes({str(k): g for k, g in graphs.items()}, ladder.relations[:1])
        cache.set(name, cached, KEPT)
    return cached


def languages_of(bot: Bot) -> list[str]:
    held = Session.objects.filter(bot=bot, nodes__isnull=False).order_by()
    return sorted(held.values_list("language", flat=True).distinct())
