"""Themes and merges of codes that a model suggests, until a person decides.

It only names codes that there are: code drops what it invents, what would put a code below itself,
and what was refused before. Nothing changes in the codebook until somebody accepts it.
"""

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from django.contrib.auth.models import User
from django.db import transaction
from pydantic import BaseModel

from interviews.engine.language.statements import one_line
from llm.routing.routes import NO_MODEL, has_model
from llm.tasks.task import LanguageTag, Spoken
from plans.bots.budgets import study_calls, wait_for_budget
from plans.jobs import ANEW, UNDER_WAY, JobType, PermanentFailure, celery_task
from plans.models import Bot
from plans.models.experiment import study_of
from reflections.coding import suggestions
from reflections.coding.codebook import (
    Codes,
    CodingRefused,
    change_code,
    codes_of,
    find_or_create,
    lock,
    mark_changed,
    merge_codes,
    tidy,
)
from reflections.evidence.background_task import ask_or_fail, background_task
from reflections.evidence.types import StoredModel
from reflections.models import ThemeSuggestions
from reflections.themes.findings import Theme, findings, main_language, spread, study_selection

TASK = "reflections.tasks.suggest_themes"
FEWEST = 2  # codes that can be ordered
QUOTES = 3  # of a code
LONGEST = 300  # characters of a quote
Tree = dict[int | str, int | str | None]  # a code, or the name of a new one: the one above


class ThemesInput(BaseModel):
    language: LanguageTag
    codes: list[Spoken]


class SuggestedTheme(StoredModel):
    """A theme, old or new, and the numbers of the codes that belong under it."""

    number: int | None = None
    name: str = ""
    description: str = ""
    codes: tuple[int, ...]


class SuggestedMerge(StoredModel):
    """Two codes that are the same, by their numbers."""

    code: int
    into: int


class OrderedCodebook(StoredModel):
    """Themes and merges. Wanted, so that a reply of another form is none."""

    themes: tuple[SuggestedTheme, ...]
    merges: tuple[SuggestedMerge, ...]


ORDER = background_task(
    "findings.themes",
    Path(__file__).parent / "prompts/themes.md",
    ThemesInput,
    OrderedCodebook(themes=(), merges=()),
    4_000,
    seconds=120.0,
)


class Proposal(StoredModel):
    """To place a code below another one, or to merge it into that. Codes go by their keys."""

    key: int
    kind: Literal["place", "merge"]
    code: int
    into: int | None = None
    name: str = ""  # of a theme that there isn't yet
    description: str = ""
    state: Literal["open", "refused"] = "open"

    @property
    def what(self) -> tuple[str, int, int | str]:
        return self.kind, self.code, self.into or self.name.casefold()


class StoredProposals(StoredModel):
    proposals: tuple[Proposal, ...] = ()
    unfounded: int = 0  # that the model wrote and that can't be done
    last: int = 0  # key that was given; none is given again, for old pages may still send it


def proposals_in(row: ThemeSuggestions | None) -> StoredProposals:
    return StoredProposals.model_validate(row.content if row else {})


def open_proposals(row: ThemeSuggestions | None, codes: Codes) -> list[Proposal]:
    """Return what waits for a decision and can still be done with these codes."""
    waiting = [one for one in proposals_in(row).proposals if one.state == "open"]
    return [*_possible(waiting, codes)]


def suggestions_of(bot: Bot) -> ThemeSuggestions | None:
    return ThemeSuggestions.objects.filter(bot__in=study_of(bot)).first()


@transaction.atomic
def request(bot: Bot, user: Any) -> None:
    """Request an order of the codebook, again if there was one. Raises CodingRefused."""
    if not has_model():
        raise CodingRefused(NO_MODEL)
    if len(codes_of(bot, user)) < FEWEST:
        raise CodingRefused("Code some interviews first. Themes are put together from codes.")
    by, row = user.get_username(), suggestions_of(bot)
    new = row is None
    row = row or ThemeSuggestions.objects.get_or_create(bot=bot, defaults={"created_by": by})[0]
    settled = ThemeSuggestions.objects.filter(pk=row.pk).exclude(status__in=UNDER_WAY)
    if settled.update(**ANEW, created_by=by) or new:
        _job_type.enqueue_on_commit(row.pk)


@transaction.atomic
def decide(bot: Bot, keys: Collection[int], user: Any, *, accept: bool) -> int:
    """Carry out these proposals, or refuse them; return how many. Raises CodingRefused."""
    lock(bot)
    found = suggestions_of(bot)
    row = ThemeSuggestions.objects.select_for_update().filter(pk=found.pk if found else 0).first()
    chosen = [one for one in open_proposals(row, codes_of(bot, user)) if one.key in keys]
    if row is None or not chosen:
        raise CodingRefused("Choose suggestions first.")
    if row.status in UNDER_WAY:
        raise CodingRefused("A model is making new suggestions. Decide once they are here.")
    taken = {one.key for one in chosen}
    left = [one for one in proposals_in(row).proposals if one.key not in taken]
    if not accept:  # they aren't suggested again
        left += [one.model_copy(update={"state": "refused"}) for one in chosen]
    for one in chosen if accept else ():
        carry_out = _merge if one.kind == "merge" else _place
        left = carry_out(bot, user, one, left)
    content = proposals_in(row).model_copy(update={"proposals": tuple(left)})
    row.content = content.model_dump(mode="json")
    row.save(update_fields=["content"])
    return len(chosen)


def _merge(bot: Bot, user: Any, proposal: Proposal, left: Sequence[Proposal]) -> list[Proposal]:
    """Merge the codes; what waits under the name of the one that goes follows to the other."""
    into = proposal.into or 0
    suggestions.rename(bot, *merge_codes(bot, user, proposal.code, into))
    return [
        one.model_copy(update={"into": into}) if one.into == proposal.code else one for one in left
    ]


def _place(bot: Bot, user: Any, proposal: Proposal, left: Sequence[Proposal]) -> list[Proposal]:
    """Place the code below its theme, which the others of this theme then find by its key."""
    codes = codes_of(bot, user)
    theme = codes.get(proposal.into or 0) or find_or_create(
        bot, proposal.name, user, proposal.description
    )
    code = codes[proposal.code]
    change_code(bot, user, code.pk, code.name, code.description, theme.name)
    mark_changed({code.pk})
    name = proposal.name.casefold()
    return [
        one.model_copy(update={"into": theme.pk, "name": ""})
        if name and one.name.casefold() == name
        else one
        for one in left
    ]


# -- the job


def _make_content(row: ThemeSuggestions) -> dict[str, Any]:
    wait_for_budget(row.bot)
    user = User.objects.filter(username=row.created_by).first()
    if user is None:
        raise PermanentFailure("Who requested it has no account any more.")
    selection = study_selection(row.bot, user)
    found = findings(selection)
    numbers = {theme.code.pk: number for number, theme in enumerate(found.themes, 1)}
    data = ThemesInput(
        language=main_language(selection),
        codes=[_described(theme, numbers, found.people) for theme in found.themes],
    )
    with study_calls(row.bot) as context:
        outcome = asyncio.run(ask_or_fail(ORDER, data, context, "suggested themes"))
    codes = codes_of(row.bot, user)  # as they are by now
    keys = {number: key for key, number in numbers.items() if key in codes}
    possible = [*_possible(_written(outcome.value, keys, codes), codes)]
    stored = proposals_in(row)
    refused = [one for one in stored.proposals if one.state == "refused"]
    known = {one.what for one in refused}
    last = max((stored.last, *(one.key for one in stored.proposals)))
    new = [one for one in possible if one.what not in known]
    numbered = [one.model_copy(update={"key": key}) for key, one in enumerate(new, last + 1)]
    written = sum(len(one.codes) for one in outcome.value.themes) + len(outcome.value.merges)
    left_out = written - len(possible)
    content = StoredProposals(
        proposals=(*refused, *numbered), unfounded=left_out, last=last + len(numbered)
    )
    return {"content": content.model_dump(mode="json")}


def _described(theme: Theme, numbers: Mapping[int, int], people: Collection[Any]) -> str:
    code, (backing, both, against) = theme.code, theme.counts(people)
    counts = f"participants: {backing + both} for it, {both + against} against it"
    above = numbers.get(code.parent_id or 0)
    place = f"; below [{above}]" if above else ""
    lines = [f"[{numbers[code.pk]}] {code.name} ({counts}{place}): {code.description}"]
    for quote in spread(theme.quotes, QUOTES):
        side = "against: " if quote.against else ""
        lines.append(f"    {side}“{' '.join(quote.text.split())[:LONGEST]}”")
    return "\n".join(lines)


def _written(ordered: OrderedCodebook, keys: Mapping[int, int], codes: Codes) -> Iterator[Proposal]:
    """Yield what the model suggests of codes that there are."""
    named = {code.name.casefold(): key for key, code in codes.items()}
    for merge in ordered.merges:
        if merge.code in keys and merge.into in keys:
            yield Proposal(key=0, kind="merge", code=keys[merge.code], into=keys[merge.into])
    for theme in ordered.themes:
        name = tidy(one_line(theme.name))
        into = keys.get(theme.number or 0) or named.get(name.casefold())
        if not (into or name) or (theme.number and theme.number not in keys):
            continue
        new = {} if into else {"name": name, "description": one_line(theme.description)}
        for number in theme.codes:
            if number in keys:
                yield Proposal(key=0, kind="place", code=keys[number], into=into, **new)


def _possible(proposals: Iterable[Proposal], codes: Codes) -> Iterator[Proposal]:
    """Yield those that can be done one after the other: each code once, and none below itself."""
    tree: Tree = {key: code.parent_id for key, code in codes.items()}
    merged, placed = dict[int, int](), set[int]()
    for one in proposals:
        into = merged.get(one.into or 0, one.into)
        above = into or one.name.casefold()
        known = one.code in tree and (into is None or into in tree)
        if not known or one.code in placed or one.code in _path(above, tree):
            continue
        if one.kind == "merge" and into:
            merged[one.code] = into
            del tree[one.code]
            tree = {key: into if up == one.code else up for key, up in tree.items()}
        elif tree[one.code] == above:
            continue
        else:
            placed.add(one.code)
            tree[one.code] = above
        yield one.model_copy(update={"into": into})


def _path(code: int | str, tree: Tree) -> list[int | str]:
    """Return the code and those above it."""
    path = [code]
    while (above := tree.get(path[-1])) and above not in path:
        path.append(above)
    return path


_job_type = JobType(ThemeSuggestions, _make_content, celery_task(TASK))
make, sweep = _job_type.run, _job_type.sweep
