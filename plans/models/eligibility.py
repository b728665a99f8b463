"""The way in and out of a bot's interviews, typed: what its links bring, its codes, its hours."""

from collections.abc import Iterable, Sequence
from datetime import time
from functools import cache
from typing import Annotated, Any, Literal
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from plans.models import Bot
from plans.text.redirect_urls import is_address

Way = Literal["declined", "full", "closed"]
WAYS: dict[Way, str] = {  # of not taking part, each with a code or an address of its own
    "declined": "Somebody doesn’t want to take part",
    "full": "All places are taken",
    "closed": "It is closed",
}
LONGEST_NAME, LONGEST_CODE, LONGEST_ADDRESS = 60, 200, 2000
MOST_PARAMS, MOST_ALIASES = 20, 20
RESERVED = ("language", "chosen", "shown")  # the start page's own


def _name(name: str) -> str:
    if name.isdigit():  # a database would take it for a place in a list
        raise ValueError("must hold a letter")
    if not (name.isascii() and name.replace("_", "a").isalnum()):
        raise ValueError("may hold only Latin letters, digits and _")
    return _free(name)


def _free(name: str) -> str:
    if not name or any(c.isspace() or not c.isprintable() or c in "&=#{}" for c in name):
        raise ValueError(f"“{name}” can't be the name of a parameter")
    if name.casefold() in RESERVED:
        raise ValueError(f"“{name}” has a meaning of its own on the start page")
    return name


def _sendable(url: str) -> str:
    """An address as it is kept: http or https, on a host that no parameter can choose."""
    plain = url.strip()
    if plain and not is_address(plain):
        raise ValueError(
            "must be a whole address that begins with https://, with {parameters} only after "
            "the name of the site"
        )
    return plain


Name = Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(_name)]
Alias = Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(_free)]
Address = Annotated[str, Field(max_length=LONGEST_ADDRESS), AfterValidator(_sendable)]
Code = Annotated[str, Field(max_length=LONGEST_CODE), AfterValidator(lambda code: code.strip())]


class FrozenValue(BaseModel):
    """A value that is never changed and knows all its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class LinkParam(FrozenValue):
    """A parameter of the bot's link: the name it is kept by, and other spellings of it.

    `once`: it names a person, who gives one interview.
    """

    name: Name
    aliases: tuple[Alias, ...] = Field((), max_length=MOST_ALIASES)
    required: bool = False
    once: bool = False

    @property
    def spellings(self) -> set[str]:
        """All its names, in the one case in which they are compared."""
        return {name.casefold() for name in (self.name, *self.aliases)}


class Outcome(FrozenValue):
    """What is shown to people who don't take part: a code, or the way back to their panel."""

    code: Code = ""
    url: Address = ""


def _apart(params: Sequence[LinkParam]) -> Sequence[LinkParam]:
    """Raises ValueError where one spelling would mean two parameters."""
    seen: set[str] = set()
    for param in params:
        if twice := sorted(seen & param.spellings):
            raise ValueError(f"“{twice[0]}” is the name of two parameters")
        seen |= param.spellings
    return params


LinkParams = Annotated[tuple[LinkParam, ...], Field(max_length=MOST_PARAMS), AfterValidator(_apart)]
Outcomes = dict[Way, Outcome]
PANEL = (
    LinkParam(name="PROLIFIC_PID", once=True),
    LinkParam(name="STUDY_ID"),
    LinkParam(name="SESSION_ID"),
)
_PARAMS: TypeAdapter[tuple[LinkParam, ...]] = TypeAdapter(LinkParams)


def params_of(stored: Any) -> tuple[LinkParam, ...]:
    """The parameters of links that a bot names itself. Raises pydantic's ValidationError."""
    return _PARAMS.validate_python(stored)


def known_params(bot: Bot) -> tuple[LinkParam, ...]:
    """Those that it names, and the panels' own, which every bot knows."""
    own = params_of(bot.link_params)
    taken = {spelling for param in own for spelling in param.spellings}
    return own + tuple(param for param in PANEL if not taken & param.spellings)


def outcome_of(bot: Bot, way: Way) -> Outcome:
    """What people get who don't take part for that reason; empty where nothing is set."""
    return Outcome.model_validate(bot.outcomes.get(way) or {})


def hours_problem(since: time | None, until: time | None) -> str:
    """What is wrong with hours of the day; empty where they fit."""
    if (since is None) != (until is None):
        return "Give both times, or neither."
    return (
        "These are the same time; leave both empty for the whole day."
        if (since is not None and since == until)
        else ""
    )


@cache
def zones() -> tuple[str, ...]:
    """Return the names of all time zones, UTC first; read from disk once per process."""
    named = (zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/"))
    return ("UTC", *sorted(named))


def email_lines(lines: Iterable[str]) -> list[str]:
    """E-mail addresses, each once. Raises ValueError naming the first that is none."""
    found: dict[str, None] = {}
    for number, line in enumerate(lines, 1):
        try:
            validate_email(line.strip())
        except ValidationError as error:
            raise ValueError(f"line {number}, “{line.strip()}”, is no e-mail address") from error
        found[line.strip()] = None
    return list(found)
