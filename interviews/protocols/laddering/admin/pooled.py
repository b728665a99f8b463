"""The ladders of several interviews taken together, as laddering studies report them.

What was said is counted as codes, which are stored and corrected by hand (codes/). They are
numbered from the lowest rung up, and within a rung by how many interviews hold them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast
from uuid import UUID

from django import forms
from django.db.models import Q
from django.http import QueryDict
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldBooleanSwitchWidget,
)

from interviews.choices import SessionStatus
from interviews.exports.selection import Selection
from interviews.models import Session
from interviews.protocols.laddering.codes.assignment import code_interviews, codes_of
from interviews.protocols.laddering.codes.pooled_codes import CodePool, ConceptCode, pool_codes
from interviews.protocols.laddering.exports.matrix import MatrixCell, implication_matrix
from interviews.protocols.laddering.ladders import Ladder, graphs_of, ladder_of
from llm.languages import language_name
from plans.bots.teams import visible
from plans.models import Bot

ENDED = (str(SessionStatus.COMPLETED), str(SessionStatus.STOPPED))
MOST = 200  # interviews that are taken together, the latest ones
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

    @property
    def usual_cut_off(self) -> int:
        """A cut-off that leaves a readable map, by rule of thumb."""
        return next(cut for least, cut in CUT_OFFS if len(self.sessions) >= least)


def pool_ladders(chosen: Selection) -> PooledLadders:
    """Return the ladders of the latest chosen interviews that have a graph, at most MOST.

    Interviews that have ended since the last time are coded first.
    """
    code_interviews(chosen.bot)
    found = chosen.with_content().filter(nodes__isnull=False).distinct()
    total = found.count()
    latest = list(found.order_by("-started_at", "id").values_list("pk", "plan_id")[:MOST])[::-1]
    keys = tuple(key for key, _ in latest)
    if not keys:
        return PooledLadders(keys, total, Ladder((), (), {}), CodePool((), {}))
    graphs, stored = graphs_of(keys), codes_of(keys)
    types = (code.type for codes in stored.values() for code in codes.values())
    ladder = ladder_of(max(plan for _, plan in latest), graphs.values(), types)
    named = {str(key): graph for key, graph in graphs.items()}
    return PooledLadders(keys, total, ladder, pool_codes(named, ladder.relations[:1], stored))


def languages_of(bot: Bot) -> list[str]:
    held = Session.objects.filter(bot=bot, nodes__isnull=False).order_by()
    return sorted(held.values_list("language", flat=True).distinct())


LADDERED = Q(sessions__nodes__isnull=False)


class LaddersForm(forms.Form):
    bot = forms.ModelChoiceField(
        Bot.objects.none(), empty_label=None, widget=UnfoldAdminSelectWidget()
    )
    language = forms.ChoiceField(required=False, widget=UnfoldAdminSelectWidget())
    cut = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=999,
        label="Cut-off",
        help_text="The map shows lines found in at least this many interviews.",
        widget=UnfoldAdminIntegerFieldWidget(),
    )
    synthetic = forms.BooleanField(
        required=False, label="Include synthetic interviews", widget=UnfoldBooleanSwitchWidget()
    )
    previews = forms.BooleanField(
        required=False, label="Include previews", widget=UnfoldBooleanSwitchWidget()
    )

    def __init__(self, given: QueryDict, user: Any) -> None:
        """Read a page's address. Without a bot it is the one whose interview is the latest.

        The choices are bots with ladders, and the one that is asked for.
        """
        query, theirs = given.copy(), visible(Bot.objects.all(), user)
        if not query.get("bot"):
            latest = theirs.filter(LADDERED).order_by("-sessions__started_at").first()
            query["bot"] = str(latest.pk) if latest else ""
        super().__init__(query)
        value = str(query["bot"])
        key = int(value) if value.isdecimal() else 0
        bots = theirs.filter(LADDERED | Q(pk=key)).distinct()
        cast(Any, self.fields["bot"]).queryset = bots
        bot = bots.filter(pk=key).first()
        tags = languages_of(bot) if bot else []
        languages = [(tag, language_name(tag)) for tag in tags]
        cast(forms.ChoiceField, self.fields["language"]).choices = [("", "All"), *languages]
        if len(tags) < 2:
            del self.fields["language"]

    @property
    def chosen(self) -> Selection:
        data = self.cleaned_data
        return Selection(
            bot=data["bot"].pk,
            statuses=ENDED,
            language=data.get("language", ""),
            synthetic=data["synthetic"],
            previews=data["previews"],
        )
