"""Which codes may mean the same: by a model where there is one, else by their words.

A person decides. What was refused isn't suggested again.
"""

import asyncio
from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path

from django.db import transaction
from pydantic import BaseModel

from interviews.models import Code, CodeSuggestion
from interviews.protocols.laddering.codes.assignment import lock_codes
from interviews.protocols.laddering.codes.pooled_codes import ConceptCode
from interviews.protocols.laddering.graph.similarity import NEGATION
from interviews.protocols.laddering.ladders import Rung
from llm.gateway import ask
from llm.tasks.task import LanguageTag, Result, Retries, Spoken, Task, Tier
from plans.bots.budgets import study_calls
from plans.models import Bot
from plans.similarity import ALIKE, normalise, similarity

MOST_ASKED = 300  # codes in one call to a model
NEAR = 0.4  # of 1, from which codes on one rung are worth a look
OPPOSED = 0.6  # of 1, from which a negation in one of two texts makes them opposites
SECONDS = 60.0


class CodesInput(BaseModel):
    language: LanguageTag
    topic: str
    ladder: list[str]
    codes: list[Spoken]  # “id | text | type”


class MergedCodes(Result):
    codes: list[int]
    name: str


class MergedCodeGroups(BaseModel):
    """Groups of codes that mean the same."""

    groups: list[MergedCodes] = []


CODES = Task(
    name="laddering.codes",
    tier=Tier.MAIN,
    template=Path(__file__).parents[1] / "prompts" / "codes.md",
    input=CodesInput,
    output=MergedCodeGroups,
    fallback=lambda data: MergedCodeGroups(),  # similarity finds some
    timeout=SECONDS,
    max_tokens=4_000,
    temperature=0.0,
    retries=Retries((), SECONDS, 0.0),
)


def suggest(bot: Bot, language: str, codes: Iterable[ConceptCode], rungs: Iterable[Rung]) -> str:
    """Store suggestions in place of the open ones; return why no model was heard, or ""."""
    listed = sorted(codes, key=lambda code: (-len(code.nodes), code.key))
    refused = _refused_pairs(bot)
    data = CodesInput(
        language=language,
        topic=bot.title,
        ladder=[f"{rung.id}: {rung.meaning or rung.name}" for rung in rungs],
        codes=[f"{one.key} | {one.text} | {one.type}" for one in listed[:MOST_ASKED]],
    )
    with study_calls(bot) as context:
        outcome = asyncio.run(ask(CODES, data, context))
    by_model = tuple(_usable_groups(outcome.value, listed, refused))
    taken = {key for group, _ in by_model for key in group}
    near = similar_groups([code for code in listed if code.key not in taken], refused)
    with transaction.atomic():
        lock_codes(bot.pk)
        CodeSuggestion.objects.filter(bot=bot, refused=False).delete()
        groups = [(group, "", False) for group in near] + [(*one, True) for one in by_model]
        CodeSuggestion.objects.bulk_create(
            CodeSuggestion(bot=bot, codes=codes, name=name, by_model=model)
            for codes, name, model in groups
        )
    return "" if outcome.by_model else outcome.reason


def _refused_pairs(bot: Bot) -> frozenset[frozenset[int]]:
    rows = CodeSuggestion.objects.filter(bot=bot, refused=True).values_list("codes", flat=True)
    return frozenset(frozenset(pair) for codes in rows for pair in combinations(codes, 2))


def _usable_groups(
    found: MergedCodeGroups, codes: list[ConceptCode], refused: frozenset[frozenset[int]]
) -> Iterable[tuple[list[int], str]]:
    """Yield groups of codes that there are, each code once, without opposites of the largest."""
    left = {code.key: code for code in codes}
    for group in found.groups:
        members = [code for code in left.values() if code.key in group.codes]
        fit = [code for code in members if _fits(members[0], code, refused)]
        if len(fit) > 1:
            name = " ".join(group.name.split())[: Code._meta.get_field("name").max_length]
            yield [code.key for code in fit], name
            for code in fit:
                del left[code.key]


def similar_groups(codes: list[ConceptCode], refused: frozenset[frozenset[int]]) -> list[list[int]]:
    """Group codes around the first one that is like them; each code is in one group at most."""
    left, found = list(codes), list[list[int]]()
    while left:
        first = left.pop(0)
        group = [first, *(code for code in left if _near(first, code, refused))]
        if len(group) > 1:
            found.append([code.key for code in group])
            left = [code for code in left if code not in group]
    return found


def _fits(one: ConceptCode, other: ConceptCode, refused: frozenset[frozenset[int]]) -> bool:
    opposites = _opposed(one, other) and similarity(one.text, other.text) >= OPPOSED
    return not opposites and frozenset((one.key, other.key)) not in refused


def _near(one: ConceptCode, other: ConceptCode, refused: frozenset[frozenset[int]]) -> bool:
    """Codes on different rungs take the same words; on one rung, some of them are enough."""
    least = NEAR if one.type == other.type else ALIKE
    alike = similarity(one.text, other.text) >= least and not _opposed(one, other)
    return alike and frozenset((one.key, other.key)) not in refused


def _opposed(one: ConceptCode, other: ConceptCode) -> bool:
    first, second = (bool(NEGATION.search(normalise(code.text))) for code in (one, other))
    return first != second


def open_suggestions(
    bot: int, codes: Mapping[int, object]
) -> list[tuple[CodeSuggestion, list[int]]]:
    """Return the open suggestions with those of their codes that are still there."""
    rows = CodeSuggestion.objects.filter(bot=bot, refused=False)
    found = ((row, [key for key in row.codes if key in codes]) for row in rows)
    return [(row, keys) for row, keys in found if len(keys) > 1]
