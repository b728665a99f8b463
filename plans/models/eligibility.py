"""Typed JSON fields of bots: link parameters, outcomes for people who don't take part, hours."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import time
from functools import cache
from typing import Annotated, Any, Literal, get_args
from urllib.parse import quote, urlsplit
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator, validate_email
from django.db.models import Case, Value, When
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from plans.models import Bot
from plans.models.experiment import study_of

Way = Literal["declined", "full", "closed", "screened"]
WAYS: tuple[Way, ...] = get_args(Way)  # not to take part, each with its own code or address
LONGEST_NAME, LONGEST_CODE, LONGEST_ADDRESS = 60, 200, 2000
MOST_PARAMS, MOST_ALIASES, MOST_CELLS = 20, 20, 40
TRY_IT = "try-it"  # has a hyphen, so that no bot's own parameter is called so
RESERVED = ("language", "chosen", "shown", TRY_IT)  # parameters of the start page
PARAMETER = re.compile(r"\{[^{}]*\}")
PROLIFIC_PAGE = "https://app.prolific.com/submissions/complete?cc="


def prolific_url(code: str) -> str:
    """Return Prolific's page that takes the code of a submission."""
    return PROLIFIC_PAGE + quote(code.strip(), safe="")


def is_address(url: str) -> bool:
    """Return whether people can be sent there once its {parameters} are filled in.

    The host must be fixed: a parameter may change the path, never the site.
    """
    plain = url.strip()
    try:
        URLValidator(schemes=["http", "https"])(PARAMETER.sub("x", plain))
        return "{" not in urlsplit(plain).netloc
    except (ValidationError, ValueError):
        return False


def _own_name(name: str) -> str:
    if name.isdigit():  # a JSON lookup would take it for a list index
        raise ValueError("must contain a letter")
    if not (name.isascii() and name.replace("_", "a").isalnum()):
        raise ValueError("can only contain Latin letters, digits and _")
    return _unreserved_name(name)


def _unreserved_name(name: str) -> str:
    if not name or any(c.isspace() or not c.isprintable() or c in "&=#{}" for c in name):
        raise ValueError(f"“{name}” can't be the name of a parameter")
    if name.casefold() in RESERVED:
        raise ValueError(f"“{name}” is reserved for the start page")
    return name


def _valid_address(url: str) -> str:
    """Strip it. Raise ValueError unless it is http(s), on a host that no parameter can change."""
    plain = url.strip()
    if plain and not is_address(plain):
        raise ValueError(
            "must be a full address starting with https://, with {parameters} only after the "
            "site's name"
        )
    return plain


Name = Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(_own_name)]
Alias = Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(_unreserved_name)]
Address = Annotated[str, Field(max_length=LONGEST_ADDRESS), AfterValidator(_valid_address)]
Code = Annotated[str, Field(max_length=LONGEST_CODE), AfterValidator(lambda code: code.strip())]


class FrozenValue(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LinkParam(FrozenValue):
    """A parameter of the bot's link: the name it is stored under, and other spellings of it.

    `once`: its value identifies a person, who gives only one interview.
    """

    name: Name
    aliases: tuple[Alias, ...] = Field((), max_length=MOST_ALIASES)
    required: bool = False
    once: bool = False

    @property
    def spellings(self) -> set[str]:
        return {name.casefold() for name in (self.name, *self.aliases)}

    @property
    def stored_names(self) -> Sequence[str]:
        """Return what interviews may have it under: they keep the name that it had before."""
        before = (one.name for one in PANEL if one.spellings & self.spellings)
        return list(dict.fromkeys((self.name, *self.aliases, *before)))

    def stored_in(self, params: Mapping[str, str]) -> str | None:
        """Return its value in an interview's parameters."""
        return next((params[name] for name in self.stored_names if name in params), None)


class Outcome(FrozenValue):
    """What people who don't take part are shown: a code, or the way back to their panel."""

    code: Code = ""
    url: Address = ""


class QuotaCell(FrozenValue):
    """How many interviews are wanted of people whose parameters have some of these values."""

    name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
    wanted: int = Field(ge=1, le=1_000_000)
    when: dict[Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)], tuple[str, ...]] = (
        Field(min_length=1, max_length=10)
    )

    def fits(self, given: Mapping[str, str]) -> bool:
        """Return whether all conditions hold; names and values ignore case."""
        known = {name.casefold(): value.strip().casefold() for name, value in given.items()}
        return all(
            known.get(name.casefold(), "") in {value.strip().casefold() for value in values}
            for name, values in self.when.items()
        )


def _named_once(cells: Sequence[QuotaCell]) -> Sequence[QuotaCell]:
    names = [cell.name.casefold() for cell in cells]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"“{twice[0]}” is the name of two cells")
    return cells


def _distinct(params: Sequence[LinkParam]) -> Sequence[LinkParam]:
    seen: set[str] = set()
    for param in params:
        if twice := sorted(seen & param.spellings):
            raise ValueError(f"“{twice[0]}” is the name of two parameters")
        seen |= param.spellings
    return params


LinkParams = Annotated[
    tuple[LinkParam, ...], Field(max_length=MOST_PARAMS), AfterValidator(_distinct)
]
QuotaCells = Annotated[
    tuple[QuotaCell, ...], Field(max_length=MOST_CELLS), AfterValidator(_named_once)
]
Outcomes = dict[Way, Outcome]
PANEL = (
    LinkParam(name="PROLIFIC_PID", once=True),
    LinkParam(name="STUDY_ID"),
    LinkParam(name="SESSION_ID"),
)
# What bots whose participants come from Prolific require.
PROLIFIC = [param.model_dump(mode="json") | {"required": param.once} for param in PANEL]
_PARAMS: TypeAdapter[tuple[LinkParam, ...]] = TypeAdapter(LinkParams)
_CELLS: TypeAdapter[tuple[QuotaCell, ...]] = TypeAdapter(QuotaCells)
params_of, cells_of = _PARAMS.validate_python, _CELLS.validate_python


def rename_cells(bot: Bot, before: Iterable[Mapping[str, Any]]) -> None:
    """Let interviews count on in a quota cell that has another name now, but the same conditions.

    `before` are the bot's cells as they were stored. Cells may have taken each other's names; one
    that is gone, and whose name another has now, leaves its interviews in no cell. In an
    experiment, a bot's cells count the interviews of all arms.
    """
    same = {
        old["name"]: [cell["name"] for cell in bot.quota_cells if cell["when"] == old["when"]]
        for old in before
    }
    names = {old: now[0] for old, now in same.items() if now and old not in now}
    names |= {old: "" for old, now in same.items() if not now and old in names.values()}
    if not names:
        return
    arms = study_of(bot)
    counted = bot.sessions.model._default_manager.filter(bot__in=arms, cell__in=names)
    changes = (When(cell=old, then=Value(new)) for old, new in names.items())
    counted.update(cell=Case(*changes))
    for one in arms:
        gone = Counter[str]()
        for name, number in one.cells_gone.items():
            gone[names.get(name, name)] += number
        del gone[""]
        Bot.objects.filter(pk=one.pk).update(cells_gone=gone)


def known_params(bot: Bot) -> tuple[LinkParam, ...]:
    """Return the bot's own parameters and those of the panels, which every bot knows."""
    own = params_of(bot.link_params)
    taken = {spelling for param in own for spelling in param.spellings}
    return own + tuple(param for param in PANEL if not taken & param.spellings)


def under_all_names(bot: Bot | None, params: Mapping[str, str]) -> dict[str, str]:
    """Return an interview's parameters, known ones under each name that they may have."""
    known = known_params(bot) if bot else PANEL
    found = ((one.stored_names, one.stored_in(params)) for one in known)
    spelled = {name: value for names, value in found if value is not None for name in names}
    return {**spelled, **params}


def outcome_of(bot: Bot, way: Way) -> Outcome:
    return Outcome.model_validate(bot.outcomes.get(way) or {})


def shown_outcome(bot: Bot, way: Way) -> Outcome:
    """Return what people are shown: with Prolific's page, where they come from there."""
    outcome = outcome_of(bot, way)
    if bot.recruitment == Bot.Recruitment.PROLIFIC and outcome.code and not outcome.url:
        return outcome.model_copy(update={"url": prolific_url(outcome.code)})
    return outcome


def hours_problem(since: time | None, until: time | None) -> str:
    if (since is None) != (until is None):
        return "Give both times, or neither."
    if since is not None and since == until:
        return "These times are the same. Leave both empty to stay open all day."
    return ""


@cache
def zones() -> tuple[str, ...]:
    """Return the names of all time zones, UTC first; read from disk once per process."""
    named = (zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/"))
    return ("UTC", *sorted(named))


def email_lines(lines: Iterable[str]) -> list[str]:
    """Return the distinct e-mail addresses. Raise ValueError naming the first invalid line."""
    found: dict[str, None] = {}
    for number, line in enumerate(lines, 1):
        try:
            validate_email(line.strip())
        except ValidationError as error:
            raise ValueError(f"line {number}, “{line.strip()}”, is no e-mail address") from error
        found[line.strip()] = None
    return list(found)
